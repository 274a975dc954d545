import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { findRoledUser } from '../users/find-users.ts'
import { subjectOf } from '../users/show-users.ts'
import { canBlockUser, canChangeUser, canWriteUsers } from '../users/user.policy.ts'
import { findPersonByEmail, updatePerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'
import { deleteTwoFactor } from './two-factor.queries.ts'

/**
 * Turns off the second step of a user who lost both the app and the recovery codes; the user is told by mail. One's own
 * is turned off in the profile, where the password is asked.
 * @throws {Refusal} `not_found`, `right_not_held`, `own_account`, `password_needed`, `stale` when it is off by now
 */
export async function turnOffTwoFactorOf(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const user = await findRoledUser(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
    if (!canBlockUser(actor, user)) throw new Refusal('own_account')
    if (!user.twoFactor) throw new Refusal('stale')
    await turnOff(tx, ctx, user)
    await postNotice(tx, ctx, user, 'twoFactorOff')
  })
  ctx.signal.letter()
}

/**
 * The same by the one who runs the program, who may be the one that is locked out.
 * @returns false when nobody with this address has a second step
 */
export async function turnOffTwoFactorByEmail(
  ctx: Pick<Context, 'now' | 'transaction'>,
  email: string,
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email)
    if (!person?.twoFactor) return false
    await turnOff(tx, { now: ctx.now, actor: undefined }, person)
    return true
  })
}

async function turnOff(
  tx: Transaction,
  ctx: Parameters<typeof record>[1],
  user: { id: number; name: string; email: string },
): Promise<void> {
  await deleteTwoFactor(tx, user.id)
  await updatePerson(tx, user.id, { twoFactor: false }, ctx.now())
  await record(tx, ctx, {
    action: 'user.two_factor_off',
    subject: subjectOf(user),
    before: { twoFactor: true },
    after: { twoFactor: false },
  })
}
