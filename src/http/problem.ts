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
export const problemSchema = z
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
 * @param t a translator with the site's own texts, where the site is known; by default with the built-in texts only
 */
export function problemResponse(refusal: Refusal, locale: Locale, t = translator(locale)): Response {
  const { code, status } = refusal
  const body: z.infer<typeof problemSchema> = {
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

/** The problems as translated messages, each with the path of its field. */
export function problemMessages(
  problems: FieldProblem[],
  locale: Locale,
  t = translator(locale),
): { path: string; message: string }[] {
  const numberFormat = new Intl.NumberFormat(intlTagOf(locale))
  return problems.map(({ path, key, limit }) => ({
    path,
    message: t(`validation.${key}`, limit === undefined ? {} : { limit: numberFormat.format(limit) }),
  }))
}

/** The JSON response to any error, for `onError`. The details of an error that is no refusal are only logged. */
export function respondToError(error: unknown, c: HonoContext<Env>, unexpectedCode?: RefusalCode): Response {
  const refusal = refusalOf(error, unexpectedCode)
  if (refusal.cause) c.var.ctx?.log.error({ err: refusal.cause }, 'a request failed')
  const locale = c.var.locale ?? requestLocale(c.req.raw)
  return problemResponse(refusal, locale, c.var.ctx && siteTranslator(c.var.ctx.site, locale))
}

/** The Retry-After of a 503: long enough for a failover of the database to have begun. */
const unavailableRetrySeconds = 5

/**
 * The refusal for any error. One that is no `Refusal` or `HTTPException` below 500 becomes the `cause` of a new refusal: 503
 * while the database is unavailable or the disk is full, else `unexpectedCode`.
 */
export function refusalOf(error: unknown, unexpectedCode: RefusalCode = 'unexpected'): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException && error.status < 500) {
    const sameStatus = (Object.keys(refusals) as RefusalCode[]).find((code) => refusals[code] === error.status)
    return new Refusal(sameStatus ?? 'malformed')
  }
  const isUnavailable = isDatabaseUnavailable(error) || isDiskFull(error)
  const unavailableCode = unexpectedCode === 'contact_failed' ? 'contact_unavailable' : 'unavailable'
  const refusal = isUnavailable
    ? new Refusal(unavailableCode, { retryAfter: unavailableRetrySeconds })
    : new Refusal(unexpectedCode)
  refusal.cause = error
  return refusal
}
