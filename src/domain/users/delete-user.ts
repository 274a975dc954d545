import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { findRoledUser } from './find-users.ts'
import { removeUser } from './remove-user.ts'
import { auditedUser, subjectOf } from './show-users.ts'
import { canWriteUsers } from './user.policy.ts'

/**
 * Removes a user, with all that lets them in and the letters that wait for them.
 * @throws {Refusal} `not_found`, `right_not_held`, `own_account`, `last_manager`
 */
export async function deleteUser(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteUsers)

  await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const user = await findRoledUser(tx, id)
    await removeUser(tx, actor, user)
    await record(tx, ctx, { action: 'user.deleted', subject: subjectOf(user), before: auditedUser(user) })
  })
}
