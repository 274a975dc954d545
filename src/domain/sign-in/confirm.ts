import { Refusal } from '../../contract/errors.ts'
import { verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findPasswordHash } from './account.queries.ts'
import { countAttempt, type Place } from './limit-attempts.ts'
import { updateConfirmed } from './session.queries.ts'

/**
 * The password once more: for ten minutes risky actions are open in this session.
 * @throws {Refusal} `invalid`, `too_many`; `password_needed` for who has none: they confirm by signing in again
 */
export async function confirm(ctx: Context, input: { password: string }, place: Place): Promise<void> {
  const actor = allow(ctx, [])
  const hash = await findPasswordHash(ctx.db, actor.id)
  if (hash === undefined) throw new Refusal('password_needed')
  const tries = await countAttempt(ctx, actor.email, place)
  if (!(await verifyPassword({ hash, password: input.password }))) {
    throw new Refusal('invalid', { problems: [{ path: 'password', key: 'wrongPassword' }] })
  }
  await tries.takeBack()
  await ctx.transaction((tx) => updateConfirmed(tx, actor.sessionId, ctx.now()))
}
