import { Refusal } from '../../contract/errors.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'
import { consumeLink } from './consume-link.ts'
import { endSessions } from './end-sessions.ts'
import { forgetAttempts, type Place, rememberPlace } from './limit-attempts.ts'
import { readPasswordLink } from './read-link.ts'
import { setPassword } from './set-password.ts'
import { findOpenUser } from './user.queries.ts'

/**
 * Sets the password of whoever a link was made for, and ends everything that the old one opened. Nobody is signed in by
 * it, so a second step is still asked.
 * @throws {Refusal} `link_ended`
 */
export async function setPasswordByLink(
  ctx: Context,
  input: { token: string; password: string },
  place: Place,
): Promise<void> {
  // Hashing is dear: not for whoever has no link.
  if (!(await readPasswordLink(ctx, input.token))) throw new Refusal('link_ended')
  const hash = await hashPassword(input.password)
  await ctx.transaction(async (tx) => {
    const { userId } = await consumeLink(tx, ctx, { purpose: 'password', token: input.token })
    const user = userId === null ? undefined : await findOpenUser(tx, userId)
    if (!user) throw new Refusal('link_ended')
    await setPassword(tx, ctx, user.id, hash)
    await endSessions(tx, [user.id])
    // Who came in by the mailbox is the owner, and is kept out neither by the guesses of others nor by their own.
    await rememberPlace(tx, ctx, user.email, place)
    await forgetAttempts(tx, ctx, user.email, place)
    await record(tx, { now: ctx.now, actor: user }, { action: 'user.password_set', subject: { type: 'user', ...user } })
  })
}
