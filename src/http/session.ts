import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { getSignedCookie } from 'hono/cookie'
import { limits } from '../contract/limits.ts'
import { splitLocale } from '../contract/locales.ts'
import { findActor } from '../domain/sign-in/find-actor.ts'
import { callAuth } from './auth-call.ts'
import type { Env } from './env.ts'
import { sessionCookie } from './kept-answers.ts'

/** An hour: how often a session that is used is made to last longer, and its cookie with it. */
const renewAfterMs = 3_600_000

/** Finds out who asks. Without the session's cookie this costs nothing. */
export const session: MiddlewareHandler<Env> = async (c, next) => {
  if (!c.req.header('cookie')?.includes(sessionCookie) || isLeaving(c)) return next()
  const { ctx } = c.var
  const found = await findActor(ctx, await sessionToken(c))
  if (found) {
    const { expiresAt, ...actor } = found
    c.set('ctx', { ...ctx, actor })
    const startedAt = expiresAt.getTime() - limits.sessionDays * 86_400_000
    if (ctx.now().getTime() - startedAt > renewAfterMs) {
      await callAuth(c, await ctx.auth(), (auth, headers) => auth.api.getSession({ headers, returnHeaders: true }))
    }
  }
  return next()
}

/** Who leaves need not be known, so whatever is wrong with the session stops nobody from leaving it. */
const isLeaving = ({ req }: HonoContext<Env>) =>
  req.method === 'POST' && (req.path === '/api/logout' || splitLocale(req.path).path === '/logout')

/** The token of the session that a request brings, when it was signed here. */
export async function sessionToken(c: HonoContext<Env>): Promise<string | undefined> {
  const name = sessionCookie.slice(0, -1)
  const secure = c.var.ctx.reached.startsWith('https:') ? ('secure' as const) : undefined
  const token = await getSignedCookie(c, c.var.ctx.secret, name, secure)
  return token || undefined
}
