import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { keepAManager } from '../roles/keep-a-manager.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { findRoledUser } from './find-users.ts'
import { auditedUser, subjectOf } from './show-users.ts'
import { canChangeUser, canDeleteUser, canWriteUsers } from './user.policy.ts'
import { deleteUserRow } from './user.queries.ts'
import { aboutAccount, aboutUser } from './user-letter.ts'

/**
 * Removes a user, with all that lets them in and the letters that wait for them.
 * @throws {Refusal} `not_found`, `right_not_held`, `own_account`, `last_manager`
 */
export async function deleteUser(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteUsers)

  await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const user = await findRoledUser(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
    if (!canDeleteUser(actor, user)) throw new Refusal('own_account')

    await keepAManager(tx, () => deleteUserRow(tx, id))
    await dropLetters(tx, [aboutUser(id), aboutAccount(id)])
    await record(tx, ctx, { action: 'user.deleted', subject: subjectOf(user), before: auditedUser(user) })
  })
}
