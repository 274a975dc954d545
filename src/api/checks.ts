import { z } from '@hono/zod-openapi'
import { contactFormExtras } from '../contract/contact.ts'
import type { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Locale } from '../contract/locales.ts'
import { returnPath } from '../contract/url.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { getReceived } from '../domain/messages/receive-message.ts'
import {
  checkToken,
  createChallenge,
  isCorrectAnswer,
  isValidSolution,
  readCheckToken,
  recordPassedCheck,
  type SpamCheck,
  signTimestamp,
} from '../domain/messages/spam-check.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse, untypedResponse } from '../http/api.ts'
import { readForm } from '../http/body.ts'
import { wantsHtml } from '../http/contact-body.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'

// The spam check of a suspected message. With JavaScript, the browser posts the solution of a proof-of-work challenge;
// without JavaScript, the visitor posts the answer to a question. The fields have Dutch names: `taal` (language), `pagina`
// (page), `antwoord` (answer), `poging` (attempt).

/** A proof-of-work challenge of `altcha-lib`. */
const challenge = z
  .object({
    parameters: z.object({
      algorithm: z.string().max(40),
      nonce: z.string().max(100),
      salt: z.string().max(100),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string().max(100),
      data: z.object({ reference: z.int() }),
    }),
    signature: z.string().max(200),
  })
  .openapi('SenderChallenge')

/** Part of the response to a suspected message: the challenge, and where its solution is posted. */
export const spamCheck = z
  .object({ url: z.string().describe('The URL to which the solution is posted'), challenge })
  .openapi('SenderCheck')

const solvedChallenge = z
  .strictObject({
    challenge,
    solution: z.object({ counter: z.int().min(0).max(10_000_000), derivedKey: z.string().max(200) }),
  })
  .openapi('SolvedChallenge')

/** The HTML responses for a sender without JavaScript. */
interface CheckPages {
  /** @param problem why the previous answer was rejected */
  question(ctx: Context, check: SpamCheck, problem?: Refusal | 'wrong'): Promise<Response>
  passed(ctx: Context, check: SpamCheck): Promise<Response>
  /** @param check undefined when there is no such check, or the body cannot be read */
  refused(ctx: Context, request: Request, error: unknown, check: SpamCheck | undefined): Promise<Response>
}

export interface CheckDependencies {
  /** Counts every solution and answer, together with the posts of forms; without it, they are not limited. */
  postLimit?: RateLimit | undefined
  checkPages: CheckPages
}

/** The URL of the anti-spam question for the sender of a suspected message. */
export function questionUrl(
  ctx: Context,
  reference: number,
  { page, locale }: Pick<SpamCheck, 'page' | 'locale'>,
): string {
  const query = new URLSearchParams({
    [contactFormExtras.locale]: locale,
    ...(page && { [contactFormExtras.page]: page }),
  })
  return `${checkUrl(ctx, reference)}?${query}`
}

const checkUrl = (ctx: Context, reference: number) => `/api/checks/${checkToken(ctx, reference)}`

/** The challenge for the sender of a stored message; undefined after an error, which is only logged. */
export async function createCheck(ctx: Context, reference: number): Promise<z.infer<typeof spamCheck> | undefined> {
  try {
    const created = await createChallenge(ctx, reference)
    return { url: checkUrl(ctx, reference), challenge: created as z.infer<typeof challenge> }
  } catch (error) {
    ctx.log.error({ err: error }, 'the sender of a suspected message gets no challenge')
    return undefined
  }
}

/** `/checks`: the anti-spam check for senders of suspected messages, which are already stored. */
export function checksApi({ postLimit, checkPages }: CheckDependencies) {
  const params = z.object({ token: z.string().max(60) })
  return createApi()
    .openapi(
      defineRoute('get', '/checks', {
        summary: 'The signed timestamp of when a visitor reaches a form',
        description: `Sent along with this form as \`${contactFormExtras.moment}\`.`,
        request: {
          query: z.strictObject({
            form: z.string().max(40).describe('The id of the form'),
            taal: z.string().max(40).optional().describe('The language of the page'),
          }),
        },
        responses: {
          200: json(
            z
              .object({
                moment: z.string(),
                waiting: z.string().describe('The text to show while a message waits to be sent'),
              })
              .openapi('FormMoment'),
            'The timestamp, and a text of the form',
          ),
        },
      }),
      (c) => {
        const { ctx } = c.var
        const { form, taal } = c.req.valid('query')
        const locale = siteLocale(ctx, taal) ?? requestLocale(c.req.raw)
        const waiting = siteTranslator(ctx.site, locale)('contact.waiting')
        return c.json({ moment: signTimestamp(ctx, form), waiting }, 200)
      },
    )
    .openapi(
      defineRoute('get', '/checks/{token}', {
        summary: 'The question to the sender of a suspected message',
        request: {
          params,
          query: z.strictObject({
            taal: z.string().max(40).optional(),
            pagina: z.string().max(limits.urlChars).optional(),
          }),
        },
        responses: {
          200: { description: 'The question', content: { 'text/html': { schema: { type: 'string' } } } },
        },
      }),
      async (c) => {
        const { ctx } = c.var
        const { token } = c.req.valid('param')
        const { taal, pagina } = c.req.valid('query')
        const findCheck = async (): Promise<SpamCheck> => {
          const reference = readCheckToken(ctx, token)
          const received = await getReceived(ctx, reference)
          const locale = siteLocale(ctx, taal) ?? received.locale
          return { token, reference, formId: received.formId, attempt: 0, locale, page: returnPath(pagina) }
        }
        try {
          return untypedResponse(await checkPages.question(ctx, await findCheck()))
        } catch (error) {
          if (!c.req.header('accept')?.includes('text/html')) throw error
          return untypedResponse(await checkPages.refused(ctx, c.req.raw, error, undefined))
        }
      },
    )
    .openapi(
      defineRoute('post', '/checks/{token}', {
        summary: 'Post the solution of the challenge for a suspected message',
        description:
          'A right solution subtracts spam points, and moves the message to the inbox when the rest is below the threshold. A wrong solution changes nothing.',
        request: { params, body: jsonBody(solvedChallenge, 'The challenge and its solution') },
        responses: {
          200: json(z.object({ passed: z.boolean() }).openapi('SenderChecked'), 'Whether the solution is right'),
          429: refusalResponse('Too many answers; try again after Retry-After'),
        },
      }),
      async (c) => {
        const { ctx, clientAddress } = c.var
        postLimit?.count(addressGroup(clientAddress))
        const reference = readCheckToken(ctx, c.req.valid('param').token)
        const passed = await isValidSolution(ctx, reference, c.req.valid('json'))
        if (passed) await recordPassedCheck(ctx, reference)
        return c.json({ passed }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/checks/{token}/answer', {
        summary: 'Answer the question about a suspected message',
        description:
          'For a browser without JavaScript: the right answer has the effect of a right solution. A wrong answer gets another question.',
        request: {
          params,
          body: {
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } as object } },
          },
        },
        responses: {
          200: {
            description: 'The answer is right; a page with the confirmation, when the form is no longer on its page',
            content: { 'text/html': { schema: { type: 'string' } } },
          },
          303: { description: 'The answer is right; redirects to the confirmation page' },
          400: refusalResponse('The body cannot be read'),
          413: refusalResponse('The body is too large'),
          415: refusalResponse('The body is no form'),
          422: refusalResponse('The answer is wrong; the page asks another question'),
          429: refusalResponse('Too many answers; try again after Retry-After'),
        },
      }),
      async (c) => {
        const { ctx, clientAddress } = c.var
        const { token = '' } = c.req.param()
        const readAnswer = async (): Promise<SpamCheck & { answer: string }> => {
          const reference = readCheckToken(ctx, token)
          const names = ['antwoord', 'poging', contactFormExtras.locale, contactFormExtras.page] as const
          const { antwoord = '', poging = '', taal, pagina } = await readForm(c.req.raw, names)
          const attempt = /^\d{1,3}$/.test(poging) ? Number(poging) : 0
          const received = await getReceived(ctx, reference)
          const locale = siteLocale(ctx, taal) ?? received.locale
          const { formId } = received
          return { token, reference, formId, attempt, answer: antwoord, locale, page: returnPath(pagina) }
        }
        let check: Awaited<ReturnType<typeof readAnswer>> | undefined
        try {
          postLimit?.count(addressGroup(clientAddress))
          check = await readAnswer()
          const { reference, attempt, answer } = check
          if (!isCorrectAnswer(ctx, reference, attempt, answer)) {
            const nextQuestion = { ...check, attempt: attempt + 1 }
            return untypedResponse(await checkPages.question(ctx, nextQuestion, 'wrong'))
          }
          await recordPassedCheck(ctx, reference)
          return untypedResponse(await checkPages.passed(ctx, check))
        } catch (error) {
          if (!wantsHtml(c.req.raw)) throw error
          // The rate limit refuses before the body is read; it is read here to ask the question again.
          check ??= await readAnswer().catch(() => undefined)
          return untypedResponse(await checkPages.refused(ctx, c.req.raw, error, check))
        }
      },
    )
}

/** The language with this tag, if the site has it. */
const siteLocale = (ctx: Context, tag: string | undefined): Locale | undefined =>
  ctx.site.locales.find((locale) => locale === tag)
