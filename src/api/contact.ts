import { z } from '@hono/zod-openapi'
import { contactMessage, honeypotField, ignoredContactFields } from '../contract/contact.ts'
import { Refusal } from '../contract/errors.ts'
import { languageTag } from '../contract/language-tag.ts'
import { builtInLocales, rootLocaleOf } from '../contract/locales.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { receiveMessage } from '../domain/messages/receive-message.ts'
import { createApi, defineRoute, json, refusalResponse, untypedResponse } from '../http/api.ts'
import { readContact, type SubmittedContact, validateContact, wantsHtml } from '../http/contact-body.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { createCheck, questionUrl, spamCheck } from './checks.ts'

const receivedMessage = z
  .object({
    id: z.int().openapi({ description: 'The reference number', example: 482_913_377 }),
    title: z.string(),
    text: z.string(),
    check: spamCheck
      .optional()
      .describe('For a message that is suspected to be spam: solving it moves the message out of the spam folder'),
    calendar: z.string().optional().describe('The address of the calendar file of a proposed appointment'),
  })
  .openapi('MessageReceived')

/** The request body of a form with these fields: JSON from programs, a form from browsers. */
export const formBody = (schema: object) => ({
  required: true,
  content: {
    'application/json': { schema },
    'application/x-www-form-urlencoded': { schema },
    'multipart/form-data': { schema },
  },
})

/** The responses to a posted form. @param recipients who gets the message, in words */
export const formResponses = (recipients: string) => ({
  201: json(receivedMessage, `Stored, and queued as email to ${recipients}`),
  303: {
    description: 'Stored; redirects to the confirmation page, for a form without `application/json` in `Accept`',
  },
  400: refusalResponse('The body cannot be read'),
  413: refusalResponse('The body is too large'),
  415: refusalResponse('The body is neither JSON nor a form'),
  422: refusalResponse('Fields are invalid; each is named'),
  429: refusalResponse('Too many posts; try again after Retry-After'),
  500: refusalResponse('Not stored'),
  503: refusalResponse('Not stored, because the database is unavailable; try again after Retry-After'),
})

/** The fields of a posted message. A plain JSON Schema, because `readContact` reads the body, not `defineRoute`. */
const contactFields = plainSchema(
  contactMessage.extend({
    taal: languageTag.optional().describe('The language of the answer; without it that of Accept-Language'),
    ...Object.fromEntries(
      ignoredContactFields.map((name) => [name, z.unknown().optional().describe('Ignored: the configuration decides')]),
    ),
    [honeypotField]: z.string().optional().describe('A honeypot: leave it empty; a message that fills it in is spam'),
  }),
)

/** A JSON Schema without `$schema`: the OpenAPI document names the dialect once. */
export function plainSchema(schema: z.ZodType): object {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io: 'input' })
  return plain
}

/** The HTML responses for a form without JavaScript. */
interface ContactPages {
  accepted(ctx: Context, submitted: SubmittedContact, id: number): Promise<Response>
  refused(ctx: Context, request: Request, submitted: SubmittedContact | undefined, error: unknown): Promise<Response>
}

export interface ContactDependencies {
  /** Counts every post, also a refused one; without it, posts are not limited. */
  postLimit?: RateLimit | undefined
  pages: ContactPages
}

/** `POST /contact`: JSON for programs and for the form with JavaScript, an HTML page for the form without. */
export function contactApi(dependencies: ContactDependencies) {
  const api = createApi('contact_failed').openapi(
    defineRoute('post', '/contact', {
      summary: 'Send the company a message',
      request: {
        body: formBody(contactFields),
      },
      responses: formResponses('the company'),
    }),
    async (c) => {
      const { ctx, clientAddress } = c.var
      const pages = wantsHtml(c.req.raw) ? dependencies.pages : undefined
      // The language of a refusal before the body is read: one of the site or of the built-in texts.
      c.set('locale', requestLocale(c.req.raw, [...ctx.site.locales, ...builtInLocales], rootLocaleOf(ctx.site)))
      let submitted: SubmittedContact | undefined
      try {
        dependencies.postLimit?.count(addressGroup(clientAddress))
        submitted = await readContact(c.req.raw, ctx.site.locales, rootLocaleOf(ctx.site))
        const { locale, honeypot } = submitted
        c.set('locale', locale)

        const { reference: id, canPassSpamCheck } = await receiveMessage(ctx, {
          message: validateContact(submitted),
          honeypot,
          moment: submitted.moment,
          locale,
          address: clientAddress,
          page: submitted.page,
        })

        if (pages && canPassSpamCheck) return untypedResponse(c.redirect(questionUrl(ctx, id, submitted), 303))
        if (pages) return untypedResponse(await pages.accepted(ctx, submitted, id))
        const t = siteTranslator(ctx.site, locale)
        const body = {
          id,
          title: t('contact.successTitle'),
          text: t('contact.successText'),
          // Clients that send no moment, such as programs that use the API, get no challenge.
          ...(canPassSpamCheck && submitted.moment !== undefined && { check: await createCheck(ctx, id) }),
        }
        return c.json(body, 201, { 'Content-Language': locale })
      } catch (error) {
        if (!pages) throw error
        // The rate limit refuses before the body is read; it is read here to fill in the form of the page.
        submitted ??= await readContact(c.req.raw, ctx.site.locales, rootLocaleOf(ctx.site)).catch(() => undefined)
        return untypedResponse(await pages.refused(ctx, c.req.raw, submitted, error))
      }
    },
  )
  api.all('/contact', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return api
}
