import type { Context as HonoContext } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { type FieldProblem, Refusal, type RefusalCode, refusals } from '../contract/errors.ts'
import { intlTagOf, type Locale } from '../contract/locales.ts'
import { translator } from '../i18n/translate.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import { isDatabaseUnavailable, isDiskFull } from '../platform/db/database.ts'
import type { Env } from './env.ts'
import { requestLocale } from './request-locale.ts'

/** The body of every refusal (RFC 9457). `code` is permanent; the messages are in the client's language. */
export const problem = z
  .object({
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]]),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    current: z.unknown().optional().describe('With 409 `stale`: the current state'),
  })
  .meta({ id: 'Problem' })

/**
 * The JSON response to a refusal.
 * @param t with the texts that the site has of its own, if it is known
 */
export function problemResponse(refusal: Refusal, locale: Locale, t = translator(locale)): Response {
  const { code, status } = refusal
  const body: z.infer<typeof problem> = {
    title: t(`errors.${code}.title`),
    status,
    detail: t(`errors.${code}.detail`),
    code,
    errors: problemMessages(refusal.problems, locale, t),
    ...(refusal.current === undefined ? {} : { current: refusal.current }),
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Content-Language': locale, ...refusalHeaders(refusal) },
  })
}

/** The headers of a refusal, for JSON and for HTML. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    'Cache-Control': 'private, no-store',
    ...(refusal.retryAfter === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(refusal.retryAfter))) }),
    ...(refusal.allow === undefined ? {} : { Allow: refusal.allow.join(', ') }),
  }
}

/** The problems as messages, each at its field. */
export function problemMessages(
  problems: FieldProblem[],
  locale: Locale,
  t = translator(locale),
): { path: string; message: string }[] {
  const numbers = new Intl.NumberFormat(intlTagOf(locale))
  return problems.map(({ path, key, limit }) => ({
    path,
    message: t(`validation.${key}`, limit === undefined ? {} : { limit: numbers.format(limit) }),
  }))
}

/** For `onError`: the response to any error. An error that is not a refusal is logged, and its details are not sent. */
export function respondToError(error: unknown, c: HonoContext<Env>, failure: RefusalCode = 'unexpected'): Response {
  const refusal = refusalOf(error, failure)
  if (refusal.cause) c.var.ctx?.log.error({ err: refusal.cause }, 'a request failed')
  const locale = c.var.locale ?? requestLocale(c.req.raw)
  return problemResponse(refusal, locale, c.var.ctx && siteTranslator(c.var.ctx.site, locale))
}

/** The Retry-After of a 503: long enough for a failover of the database to have begun. */
const unavailableRetrySeconds = 5

/**
 * The refusal that was thrown. Any other error becomes the cause of one: 503 while the database is unavailable or the disk is full,
 * else `failure`.
 */
export function refusalOf(error: unknown, failure: RefusalCode = 'unexpected'): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException && error.status < 500) {
    const code = (Object.keys(refusals) as RefusalCode[]).find((one) => refusals[one] === error.status)
    return new Refusal(code ?? 'malformed')
  }
  const refusal =
    isDatabaseUnavailable(error) || isDiskFull(error)
      ? new Refusal(failure === 'contact_failed' ? 'contact_unavailable' : 'unavailable', {
          retryAfter: unavailableRetrySeconds,
        })
      : new Refusal(failure)
  refusal.cause = error
  return refusal
}
