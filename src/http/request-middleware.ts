import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Context } from '../platform/context.ts'
import type { Env } from './api.ts'
import { clientAddress } from './client-origin.ts'

/** Gives each request its id, its context and a log line. */
export function requestContext(options: {
  context: (request: Request) => Omit<Context, 'actor'>
  trustProxy: number
  observeRequest: (method: string, status: number, seconds: number) => void
}): MiddlewareHandler<Env> {
  return async (c, next) => {
    const start = performance.now()
    const proxyRequestId = options.trustProxy > 0 ? c.req.header('x-request-id') : undefined
    const requestId = proxyRequestId && /^[\w.-]{8,80}$/.test(proxyRequestId) ? proxyRequestId : randomUUID()
    const context = options.context(c.req.raw)
    const log = context.log.child({ requestId })
    c.set('requestId', requestId)
    c.set('clientAddress', clientAddress(c, options.trustProxy))
    c.set('ctx', { ...context, actor: undefined, log })

    await next()

    // `c.header` would copy the response for each header.
    c.res.headers.set('X-Request-Id', requestId)
    const seconds = (performance.now() - start) / 1_000
    options.observeRequest(c.req.method, c.res.status, seconds)
    // Without the query string, which may contain what a person typed.
    log[monitoringPaths.has(c.req.path) ? 'debug' : 'info'](
      { method: c.req.method, path: loggedPath(c.req.path), status: c.res.status, ms: Math.round(seconds * 1e5) / 100 },
      'request',
    )
  }
}

/** Requested every few seconds by load balancers and monitoring; logged at debug level. */
const monitoringPaths = new Set(['/healthz', '/readyz', '/metrics'])

/** The token of a preview link or a calendar file, and the rest. `(?<!\d)` makes it try a run of digits once. */
const accessToken = /(?:(?<!\d)\d+\.[a-z\d-]{2,35}\.\d+\.\d+\.[\w-]+|(?<=^\/api\/forms\/appointments\/)).*$/is

/** The path for the log. These links grant access, so their token is masked, also when it was copied with errors. */
function loggedPath(path: string): string {
  const decodedPath = decode(path)
  return accessToken.test(decodedPath) ? decodedPath.replace(accessToken, '…') : path
}

/** The decoded path; a path with an invalid encoding is returned as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Hono answers HEAD as GET without the body: a stream that nobody reads would keep its file or connection open. */
export const cancelBodyOfHead: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  if (c.req.method === 'HEAD') await c.res.body?.cancel()
}

/** Refuses invalid URLs: too long, with a zero byte, or with an invalid host. */
export const rejectInvalidUrl: MiddlewareHandler<Env> = async (c, next) => {
  const url = URL.parse(c.req.url)
  if (!url) throw new Refusal('malformed')
  if (c.req.url.length - url.origin.length > limits.urlChars) throw new Refusal('url_too_long')
  if (c.req.path.includes('\0')) throw new Refusal('malformed')
  await next()
}

/**
 * Refuses a write that a browser sends from another site (CSRF). Browsers send `Sec-Fetch-Site`, older ones `Origin`;
 * other clients send neither, and carry no cookies.
 */
export const rejectCrossSiteWrites: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS') return next()
  const fetchSite = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (fetchSite && fetchSite !== 'same-origin' && fetchSite !== 'none') throw new Refusal('forged')
  if (!fetchSite && origin && !isSameHost(origin, c.req.header('host'), c.var.ctx.origin)) throw new Refusal('forged')
  return next()
}

/** Whether an origin has the host of the request or of the site. A proxy that terminates TLS changes the scheme. */
function isSameHost(origin: string, requestHost: string | undefined, siteOrigin: string): boolean {
  const host = URL.parse(origin)?.host
  return host !== undefined && (host === requestHost || host === URL.parse(siteOrigin)?.host)
}

/**
 * The origin by which a request reached the site, without a trailing slash. BASE_URL where it is set; else the
 * configured origin when the host matches it; and for any other host, such as localhost or a LAN address, that of the
 * request, so that signing in works there too.
 * @param options.proxied whether there is a trusted proxy, whose X-Forwarded-Proto counts
 */
export function requestOrigin(
  request: Request,
  options: { baseUrl: string | undefined; siteUrl: string; proxied: boolean },
): string {
  const { baseUrl, siteUrl, proxied } = options
  if (baseUrl) return new URL(baseUrl).origin
  const requested = URL.parse(request.url)
  const configured = new URL(siteUrl)
  // `rejectInvalidUrl` has refused invalid hosts before this.
  if (!requested || requested.host === configured.host) return configured.origin
  const forwardedProto = proxied ? request.headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() : undefined
  return `${forwardedProto === 'https' ? 'https:' : requested.protocol}//${requested.host}`
}
