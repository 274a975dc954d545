import { hasContactForm } from '../blocks/block-contents.ts'
import type { ContactState } from '../blocks/define-block.ts'
import { offerSubject } from '../blocks/offer.tsx'
import { urlParameters } from '../contract/collections.ts'
import { type ContactField, contactFields } from '../contract/contact.ts'
import { Refusal } from '../contract/errors.ts'
import { type Locale, localizedPath, rootLocaleOf } from '../contract/locales.ts'
import type { LivePage } from '../domain/pages/find-live-page.ts'
import { contactValues, type SubmittedContact } from '../http/contact-body.ts'
import { problemMessages, refusalHeaders, refusalOf } from '../http/problem.ts'
import { requestLocale } from '../http/request-locale.ts'
import { referenceNumber } from '../i18n/dates.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { isSignature, sign } from '../platform/signature.ts'
import { createRenderContext } from './render-context.ts'
import { findContactPage, privatePage, uncachedProps } from './site-pages.ts'

/** Redirects to the page with the confirmation. The number in its URL is signed, so that the page cannot be forged. */
export async function contactAcceptedPage(
  ctx: Context,
  submitted: Pick<SubmittedContact, 'locale' | 'page'>,
  id: number,
): Promise<Response> {
  const { locale } = submitted
  const { path } = await findContactPage(ctx, submitted.page ?? '/', locale)
  const location = `${encodeURI(localizedPath(path, locale, ctx.site))}?${urlParameters.sent}=${id}.${sign(ctx.secret, 'sent', String(id))}#contact`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/** Shows the form again with the input, and each problem at its field or above the form. */
export async function contactRefusedPage(
  ctx: Context,
  request: Request,
  submitted: SubmittedContact | undefined,
  error: unknown,
): Promise<Response> {
  const requested = {
    path: submitted?.page ?? '/',
    locale: submitted?.locale ?? requestLocale(request, ctx.site.locales, rootLocaleOf(ctx.site)),
  }
  const { locale } = requested
  const found = await findContactPage(ctx, requested.path, locale).catch(() => undefined)
  // Without a page the database is unavailable, so the form is shown on a page of its own.
  const refusal = found ? refusalOf(error, 'contact_failed') : new Refusal('unavailable', { retryAfter: 30 })
  if (refusal.cause) ctx.log.error({ err: refusal.cause }, 'a contact message was not stored')
  const t = siteTranslator(ctx.site, locale)
  const messages = problemMessages(refusal.problems, locale, t)
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
  const page = found ?? contactOnlyPage(ctx, locale)
  const response = privatePage(await uncachedProps(ctx, locale, page), page, locale, {
    contact: { values: submitted ? contactValues(submitted) : {}, errors, ...(inFields ? {} : { failure }) },
    status: refusal.status,
  })
  for (const [name, value] of Object.entries(refusalHeaders(refusal))) response.headers.set(name, value)
  return response
}

/** A page with only the form, which needs no database. */
export function contactOnlyPage({ site }: Pick<Context, 'site'>, locale: Locale): LivePage {
  const t = siteTranslator(site, locale)
  const title = t('contact.title')
  return {
    id: 0,
    path: '/',
    slug: '',
    title,
    description: '',
    seoTitle: '',
    picture: '',
    noindex: true,
    body: [
      {
        type: 'contact-form',
        anchor: 'contact',
        title,
        intro: t('contact.intro'),
        note: '',
      } as LivePage['body'][number],
    ],
    updated: '',
    sections: [],
    contentLocale: locale,
    alternates: site.locales.map((one) => ({ locale: one, path: localizedPath('/', one, site) })),
  }
}

const isField = (path: string): path is ContactField => (contactFields as readonly string[]).includes(path)

/** Prefills the form with the product that the URL names; unknown ids are ignored, to limit the cached variants. */
export function messageAbout(
  ctx: Context,
  page: LivePage,
  locale: Locale,
  id: string | null,
): ContactState | undefined {
  const item = [...ctx.site.offer.prices, ...ctx.site.offer.subscriptions].find((one) => one.id === id)
  if (!item || !hasContactForm(page.body)) return undefined
  const { contentLocale } = page
  const context = createRenderContext({
    site: ctx.site,
    menuPages: ctx.menuPages,
    locale,
    contentLocale,
    path: page.path,
    now: ctx.now(),
    viewer: undefined,
  })
  return {
    values: { bericht: offerSubject(item, { ...context, t: siteTranslator(ctx.site, contentLocale) }) },
    errors: {},
  }
}

/** The confirmation after submitting the form, when the signature in the URL is valid. */
export function sentMessage(ctx: Context, locale: Locale, signed: string | null): ContactState['sent'] {
  const [, id = '', signature = ''] = /^(\d{1,15})\.([\w-]{16})$/.exec(signed ?? '') ?? []
  if (!isSignature(ctx.secret, 'sent', String(Number(id)), signature)) return undefined
  return { reference: referenceNumber(Number(id), locale) }
}
