import type { Context as HonoContext } from 'hono'
import { findActor } from '../domain/sign-in/find-actor.ts'
import { endSession, noteSignIn } from '../domain/sign-in/note-sign-in.ts'
import { passCookies } from './auth-call.ts'
import type { Env } from './env.ts'
import { sessionCookie } from './kept-answers.ts'
import { lastingPlace } from './place.ts'
import { sessionToken } from './session.ts'

/**
 * What every way to sign in ends with: the new cookies go into the answer, the session that the browser had is over, so
 * that one which somebody planted there is worth nothing, and the browser is known from now on.
 * @param headers as Better Auth gave them
 * @returns whether a code must follow: then there is no session yet
 */
export async function completeSignIn(c: HonoContext<Env>, headers: Headers): Promise<{ secondStep: boolean }> {
  const { ctx } = c.var
  const tokenBefore = await sessionToken(c)
  const token = givenToken(headers)
  passCookies(c, headers)
  const actor = await findActor(ctx, token)
  if (!actor) {
    if (tokenBefore) await endSession(ctx, tokenBefore)
    return { secondStep: true }
  }
  await noteSignIn(ctx, { user: actor, place: lastingPlace(c), tokenBefore })
  return { secondStep: false }
}

/** The token in the session's cookie; a later line takes an earlier one back. */
export function givenToken(headers: Headers): string | undefined {
  const line = headers.getSetCookie().findLast((one) => one.split('=')[0]?.endsWith(sessionCookie.slice(0, -1)))
  const value = decodeURIComponent(line?.split(';')[0]?.split('=').slice(1).join('=') ?? '')
  return value.slice(0, Math.max(0, value.lastIndexOf('.'))) || undefined
}
