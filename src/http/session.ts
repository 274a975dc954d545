import { createHmac } from 'node:crypto'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { LRUCache } from 'lru-cache'
import { shownUserHeader } from '../contract/admin-start.ts'
import { limits } from '../contract/limits.ts'
import { findActor } from '../domain/sign-in/sessions.ts'
import type { Actor } from '../platform/context.ts'
import { isEqualTimingSafe } from '../platform/signature.ts'
import { callAuthWithoutCookies } from './auth-call.ts'
import type { Env } from './env.ts'
import { sessionCookieName, sessionCookieStart } from './page-cache.ts'

/** A session in use is extended this long after the last time, and its cookie is sent again. */
const extendAfterMs = 3_600_000

/** Sets the actor of the context, and extends the session. Costs nothing without the session cookie. */
export const session: MiddlewareHandler<Env> = async (c, next) => {
  if (!c.req.header('cookie')?.includes(sessionCookieStart) || isSignOut(c)) return next()
  const { ctx } = c.var
  const user = await findActor(ctx, sessionToken(c))
  if (!user) return next()
  // The admin names the user whom it shows: a request of another user's window must not act for this user.
  const shownUser = c.req.header(shownUserHeader)
  if (shownUser !== undefined && shownUser !== String(user.id)) return next()
  c.set('ctx', { ...ctx, actor: actorOf(user) })
  const extendedAt = user.expiresAt.getTime() - limits.sessionDays * 86_400_000
  const setCookies = ctx.now().getTime() - extendedAt > extendAfterMs ? await extendSession(c) : []
  await next()
  // Only now, because a handler may make a response of its own, or set these cookies itself.
  const { headers } = c.res
  const setByHandler = headers.getSetCookie().map(cookieName)
  for (const setCookie of setCookies) {
    if (setByHandler.includes(cookieName(setCookie))) continue
    headers.append('Set-Cookie', setCookie)
    headers.set('Cache-Control', 'private, no-store')
  }
}

/** Reads the session again, after a slow body: the user may have been blocked or have lost rights meanwhile. */
export async function refreshActor(c: HonoContext<Env>): Promise<void> {
  const { ctx } = c.var
  if (!ctx.actor) return
  const user = await findActor(ctx, sessionToken(c))
  c.set('ctx', { ...ctx, actor: user && actorOf(user) })
}

const actorOf = ({ expiresAt: _, ...actor }: Actor & { expiresAt: Date }): Actor => actor

/** The name in a `Set-Cookie` header. */
const cookieName = (setCookie: string) => setCookie.split('=', 1)[0]

/** @returns the `Set-Cookie` headers; none when it cannot be extended now, such as while the database is read-only */
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

/** Whether this request signs out, which works without a valid session. Extending it would set its cookie again. */
const isSignOut = ({ req }: HonoContext<Env>) =>
  req.method === 'POST' && (req.path === '/api/logout' || /^(?:\/[a-z\d-]+)?\/logout$/.test(req.path))

/** The session token in the cookie of a request, `<token>.<signature>`; undefined when the signature is invalid. */
export function sessionToken(c: HonoContext<Env>): string | undefined {
  const { requestOrigin, secret } = c.var.ctx
  const cookie = getCookie(c, sessionCookieName, requestOrigin.startsWith('https:') ? 'secure' : undefined)
  const dot = cookie?.lastIndexOf('.') ?? -1
  if (!cookie || dot < 1) return undefined
  const token = cookie.slice(0, dot)
  if (verifiedCookies.get(cookie) === secret) return token
  // Synchronous, unlike Hono's `getSignedCookie`: Web Crypto sends each signature to another thread and back.
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  if (!isEqualTimingSafe(cookie.slice(dot + 1), signature)) return undefined
  verifiedCookies.set(cookie, secret)
  return token
}

/**
 * Recent cookies with a valid signature, each with the secret that signed it, because verifying one takes a tenth of a
 * short request. Whether the session still exists is read at each request.
 */
const verifiedCookies = new LRUCache<string, string>({ max: 1_000 })
