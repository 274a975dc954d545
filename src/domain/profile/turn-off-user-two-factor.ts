import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { auditSubject, getUserWithRoles } from '../users/list-users.ts'
import { canBlockUser, canChangeUser, canWriteUsers } from '../users/user.policy.ts'
import { findProfileByEmail, updateProfileRow } from './profile.queries.ts'
import { queueNotice } from './profile-email.ts'
import { deleteTwoFactor } from './two-factor.queries.ts'

/**
 * Turns off the second factor of a user who lost both the app and the recovery codes; the user is notified by email.
 * Actors turn off their own in the profile, where the password is required.
 * @throws {Refusal} `not_found`, `right_not_held`, `own_account`, `password_needed`, `stale` when it is already off
 */
export async function turnOffUserTwoFactor(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const user = await getUserWithRoles(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
    // After the check above, this refuses only the actor's own account.
    if (!canBlockUser(actor, user)) throw new Refusal('own_account')
    if (!user.twoFactor) throw new Refusal('stale')
    await turnOffAndRecord(tx, ctx, user)
    await queueNotice(tx, ctx, user, 'twoFactorOff')
  })
  ctx.wake.email()
}

/**
 * Turns off a user's second factor, without an actor and without an email: for an operator who is locked out, and for
 * the test restore of a backup.
 * @returns false when no user with this address has a second factor
 */
export async function turnOffTwoFactorByEmail(
  ctx: Pick<Context, 'now' | 'transaction'>,
  email: string,
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const user = await findProfileByEmail(tx, email)
    if (!user?.twoFactor) return false
    await turnOffAndRecord(tx, { now: ctx.now, actor: undefined }, user)
    return true
  })
}

async function turnOffAndRecord(
  tx: Transaction,
  ctx: Parameters<typeof record>[1],
  user: { id: number; name: string; email: string },
): Promise<void> {
  await deleteTwoFactor(tx, user.id)
  await updateProfileRow(tx, user.id, { twoFactor: false }, ctx.now())
  await record(tx, ctx, {
    action: 'user.two_factor_off',
    subject: auditSubject(user),
    before: { twoFactor: true },
    after: { twoFactor: false },
  })
}
