import { createRoute, z } from '@hono/zod-openapi'
import { contactMessage, honeypotField } from '../contract/contact.ts'
import { Refusal } from '../contract/errors.ts'
import { locales } from '../contract/locales.ts'
import { receiveMessage } from '../domain/messages/receive-message.ts'
import type { AddressLimit } from '../http/address-limits.ts'
import { createApi, json, refused } from '../http/api.ts'
import { acceptContact, readContact } from '../http/contact-body.ts'
import { translator } from '../i18n/translate.ts'

const received = z
  .object({
    id: z.int().openapi({ description: 'The reference number', example: 41 }),
    title: z.string(),
    text: z.string(),
  })
  .openapi('MessageReceived')

/** What a program may send. A plain JSON Schema, for the body is read by `readContact`, which forms share. */
const posted = z.toJSONSchema(
  contactMessage.extend({
    taal: z.enum(locales).optional().describe('The language of the answer; without it that of Accept-Language'),
    [honeypotField]: z.string().optional().describe('Stays empty: what fills it in is taken for spam'),
  }),
  { io: 'input', target: 'openapi-3.0' },
) as object

/**
 * `POST /contact`.
 * @param parts.attempts counts every post, also those that are refused; left out, they are not counted
 */
export function contactApi(parts: { attempts?: AddressLimit | undefined } = {}) {
  const api = createApi('contact_failed').openapi(
    createRoute({
      method: 'post',
      path: '/contact',
      summary: 'Send the company a message',
      request: {
        body: {
          required: true,
          content: {
            'application/json': { schema: posted },
            'application/x-www-form-urlencoded': { schema: posted },
            'multipart/form-data': { schema: posted },
          },
        },
      },
      responses: {
        201: json(received, 'Stored, and on its way by mail'),
        400: refused('The body cannot be read'),
        413: refused('The body is too large'),
        415: refused('The body is neither JSON nor a form'),
        422: refused('Fields are wrong; each is named'),
        429: refused('Too many; Retry-After says when to come back'),
        500: refused('Not stored'),
      },
    }),
    async (c) => {
      parts.attempts?.count(c.var.address)
      const { ctx, address } = c.var
      const post = await readContact(c.req.raw, ctx.site.locales)
      const { locale, honeypot } = post
      c.set('locale', locale)

      const { id } = await receiveMessage(ctx, { message: acceptContact(post), honeypot, locale, address })

      const t = translator(locale)
      const body = { id, title: t('contact.successTitle'), text: t('contact.successText') }
      return c.json(body, 201, { 'Content-Language': locale })
    },
  )
  api.all('/contact', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return api
}
