import { createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { ContactState } from '../blocks/define-block.ts'
import { type ContactField, contactFields } from '../contract/contact.ts'
import { type Locale, localizedPath } from '../contract/locales.ts'
import { receiveMessage } from '../domain/messages/receive-message.ts'
import type { AddressLimit } from '../http/address-limits.ts'
import { acceptContact, type PostedContact, readContact, typedContact, wantsPage } from '../http/contact-body.ts'
import type { Env } from '../http/env.ts'
import { problemMessages, refusalHeaders, refusalOf } from '../http/problem.ts'
import { requestLocale } from '../http/request-locale.ts'
import { referenceNumber } from '../i18n/reference.ts'
import { translator } from '../i18n/translate.ts'
import type { Context } from '../platform/context.ts'
import { pageOfForm, privatePage } from './site-pages.ts'

/**
 * `POST /api/contact` by a form without JavaScript: the visitor gets a page. Every other post goes on to the API.
 * @param parts.attempts the count that both faces share
 */
export function contactForm(parts: { attempts: AddressLimit | undefined }) {
  const site = new Hono<Env>()

  site.post('/api/contact', async (c, next) => {
    if (!wantsPage(c.req.raw)) return next()
    const { ctx, address } = c.var
    let posted: PostedContact | undefined
    try {
      parts.attempts?.count(address)
      posted = await readContact(c.req.raw, ctx.site.locales)
      const { honeypot, locale } = posted

      const { id } = await receiveMessage(ctx, { message: acceptContact(posted), honeypot, locale, address })

      const { path } = await pageOfForm(ctx, posted.page ?? '/', locale)
      c.header('Cache-Control', 'private, no-store')
      return c.redirect(`${encodeURI(localizedPath(path, locale))}?verzonden=${id}.${proof(ctx, id)}#contact`, 303)
    } catch (error) {
      // One attempt too many is refused unread, but what was typed must not be lost.
      posted ??= await readContact(c.req.raw, ctx.site.locales).catch(() => undefined)
      return sentBack(ctx, c.req.raw, posted, error)
    }
  })
  return site
}

/** The form again: what was typed still there, and what is wrong beside its field or above the form. */
async function sentBack(
  ctx: Context,
  request: Request,
  posted: PostedContact | undefined,
  error: unknown,
): Promise<Response> {
  const refusal = refusalOf(error, 'contact_failed')
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, 'a contact message was not stored')
  const locale = posted?.locale ?? requestLocale(request, ctx.site.locales)
  const t = translator(locale)
  const messages = problemMessages(refusal.problems, locale)
  const errors: ContactState['errors'] = {}
  for (const { path, message } of messages) {
    if (isField(path)) errors[path] ??= message
  }
  const elsewhere = messages.filter(({ path }) => !isField(path)).map(({ path, message }) => `${path}: ${message}`)
  const inFields = refusal.code === 'invalid' && elsewhere.length === 0
  const failure = {
    title: t('contact.failureTitle'),
    text:
      refusal.code === 'contact_failed'
        ? t('contact.failureText')
        : [t(`errors.${refusal.code}.detail`), ...elsewhere].join(' '),
  }
  const response = privatePage(
    { site: ctx.site, origin: ctx.origin, now: ctx.now(), viewer: ctx.actor },
    await pageOfForm(ctx, posted?.page ?? '/', locale),
    locale,
    {
      contact: { values: posted ? typedContact(posted) : {}, errors, ...(inFields ? {} : { failure }) },
      status: refusal.status,
    },
  )
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}

const isField = (path: string): path is ContactField => (contactFields as readonly string[]).includes(path)

/** What the page says after a form was sent, when the address really comes from this server. */
export function sentMessage(ctx: Context, locale: Locale, given: string | null): ContactState['sent'] {
  const match = /^(\d{1,15})\.([\w-]{16})$/.exec(given ?? '')
  const [, id = '', signature = ''] = match ?? []
  if (!match || !timingSafeEqual(Buffer.from(signature), Buffer.from(proof(ctx, Number(id))))) return undefined
  const t = translator(locale)
  return {
    title: t('contact.successTitle'),
    text: t('contact.successText'),
    reference: referenceNumber(Number(id), locale),
  }
}

const proof = (ctx: Context, id: number) =>
  createHmac('sha256', ctx.secret).update(`sent:${id}`).digest('base64url').slice(0, 16)
