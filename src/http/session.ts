import { createHmac } from 'node:crypto'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { LRUCache } from 'lru-cache'
import { shownUserHeader } from '../contract/admin-start.ts'
import { limits } from '../contract/limits.ts'
import { findActor } from '../domain/sign-in/sessions.ts'
import { isEqual } from '../platform/signature.ts'
import { callAuthWithoutCookies } from './auth-call.ts'
import type { Env } from './env.ts'
import { sessionCookie } from './page-cache.ts'

/** How often a session in use is extended, and its cookie is sent again. */
const renewAfterMs = 3_600_000

/** Resolves the actor. Costs nothing without the session cookie. */
export const session: MiddlewareHandler<Env> = async (c, next) => {
  if (!c.req.header('cookie')?.includes(sessionCookie) || isSignOut(c)) return next()
  const { ctx } = c.var
  const found = await findActor(ctx, sessionToken(c))
  const shownUser = c.req.header(shownUserHeader)
  if (!found || (shownUser !== undefined && shownUser !== String(found.id))) return next()
  const { expiresAt, ...actor } = found
  c.set('ctx', { ...ctx, actor })
  const startedAt = expiresAt.getTime() - limits.sessionDays * 86_400_000
  const cookies = ctx.now().getTime() - startedAt > renewAfterMs ? await extendSession(c) : []
  await next()
  // Only now, because a handler may make a response of its own, or set these cookies itself.
  const { headers } = c.res
  const own = headers.getSetCookie().map(cookieName)
  for (const line of cookies) {
    if (own.includes(cookieName(line))) continue
    headers.append('Set-Cookie', line)
    headers.set('Cache-Control', 'private, no-store')
  }
}

const cookieName = (line: string) => line.split('=', 1)[0]

/** @returns its cookies; none when it cannot be extended now, for example because the database is read-only */
async function extendSession(c: HonoContext<Env>): Promise<string[]> {
  const { ctx } = c.var
  try {
    const { headers } = await callAuthWithoutCookies(c, await ctx.auth(), (auth, headers) =>
      auth.api.getSession({ headers, returnHeaders: true }),
    )
    return headers.getSetCookie()
  } catch (error) {
    ctx.log.warn({ err: error }, 'a session was not extended')
    return []
  }
}

/** Signing out works without a valid session. */
const isSignOut = ({ req }: HonoContext<Env>) =>
  req.method === 'POST' && (req.path === '/api/logout' || /^(?:\/[a-z\d-]+)?\/logout$/.test(req.path))

/** The session token of a request, when its signature is valid. */
export function sessionToken(c: HonoContext<Env>): string | undefined {
  const { requestOrigin, secret } = c.var.ctx
  const cookie = getCookie(c, sessionCookie.slice(0, -1), requestOrigin.startsWith('https:') ? 'secure' : undefined)
  const dot = cookie?.lastIndexOf('.') ?? -1
  if (!cookie || dot < 1) return undefined
  const token = cookie.slice(0, dot)
  if (verified.get(cookie) === secret) return token
  // Synchronous, unlike Hono's `getSignedCookie`: Web Crypto sends each signature to another thread and back.
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  if (!isEqual(cookie.slice(dot + 1), signature)) return undefined
  verified.set(cookie, secret)
  return token
}

/**
 * The secrets that made the signatures of recent cookies, because verifying one is a tenth of a short request. Whether
 * the session still exists is read at each request.
 */
const verified = new LRUCache<string, string>({ max: 1_000 })
