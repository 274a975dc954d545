import { Refusal } from '../../contract/errors.ts'
import type { Session } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deleteOtherSessions, deleteUserSession, findUserSessions } from './profile.queries.ts'

/** The actor's sessions. */
export async function listOwnSessions(ctx: Context): Promise<Session[]> {
  const { id, sessionId } = allow(ctx, [])
  return findUserSessions(ctx.db, { userId: id, current: sessionId, now: ctx.now() })
}

/** Ends one of the actor's sessions. @throws {Refusal} `not_found`, for the sessions of others too */
export async function endOwnSession(ctx: Context, sessionId: number): Promise<void> {
  const { id, name } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const ended = await deleteUserSession(tx, id, sessionId)
    if (!ended) throw new Refusal('not_found')
    await record(tx, ctx, {
      action: 'profile.session_ended',
      subject: { type: 'user', id, name },
      before: { device: ended.userAgent },
      after: { device: null },
    })
  })
}

/** Ends all sessions of the actor except the current one. */
export async function endOtherSessions(ctx: Context): Promise<void> {
  const { id, name, sessionId } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const count = await deleteOtherSessions(tx, id, sessionId)
    if (count === 0) return
    await record(tx, ctx, {
      action: 'profile.sessions_ended',
      subject: { type: 'user', id, name },
      before: { devices: count + 1 },
      after: { devices: 1 },
    })
  })
}
