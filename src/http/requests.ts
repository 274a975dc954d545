import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Context } from '../platform/context.ts'
import type { Env } from './api.ts'
import { clientAddress } from './client-address.ts'

/** Gives each request its number, its context and a line in the log. */
export function requests(parts: {
  context: (request: Request) => Omit<Context, 'actor'>
  trustProxy: number
  measured: (method: string, status: number, seconds: number) => void
}): MiddlewareHandler<Env> {
  return async (c, next) => {
    const start = performance.now()
    const given = parts.trustProxy > 0 ? c.req.header('x-request-id') : undefined
    const requestId = given && /^[\w.-]{8,80}$/.test(given) ? given : randomUUID()
    const base = parts.context(c.req.raw)
    const log = base.log.child({ requestId })
    c.set('requestId', requestId)
    c.set('address', clientAddress(c, parts.trustProxy))
    c.set('ctx', { ...base, actor: undefined, log })

    await next()

    c.header('X-Request-Id', requestId)
    const seconds = (performance.now() - start) / 1_000
    parts.measured(c.req.method, c.res.status, seconds)
    // The path alone: a query may hold what a person typed.
    log.info(
      { method: c.req.method, path: loggedPath(c.req.path), status: c.res.status, ms: Math.round(seconds * 1e5) / 100 },
      'request',
    )
  }
}

/** What the link of a preview is signed with. */
const previewKey = /\d+\.[a-z]{2}\.\d+\.\d+\.[\w-]+.*$/is

/** The link of a preview is its key, also where it was not copied well. */
function loggedPath(path: string): string {
  const read = decoded(path)
  return previewKey.test(read) ? read.replace(previewKey, '…') : path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Refuses addresses that no page has: too long, with a zero byte, or on a host that cannot be. */
export const readableAddress: MiddlewareHandler<Env> = async (c, next) => {
  if (!URL.canParse(c.req.url)) throw new Refusal('malformed')
  if (c.req.url.length - new URL(c.req.url).origin.length > limits.urlChars) throw new Refusal('url_too_long')
  if (c.req.path.includes('\0')) throw new Refusal('malformed')
  await next()
}

/**
 * Refuses a write that a browser sends from another site. A browser tells so by `Sec-Fetch-Site`, older ones by
 * `Origin`; what is no browser sends neither, and holds no one's cookies.
 */
export const sameSite: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS') return next()
  const fetchSite = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (fetchSite && fetchSite !== 'same-origin' && fetchSite !== 'none') throw new Refusal('forged')
  if (!fetchSite && origin && !isOwn(origin, c.req.header('host'), c.var.ctx.origin)) throw new Refusal('forged')
  return next()
}

/** The scheme may differ where a proxy in front takes care of https. */
function isOwn(origin: string, host: string | undefined, own: string): boolean {
  const found = URL.parse(origin)?.host
  return found !== undefined && (found === host || found === URL.parse(own)?.host)
}
