import { Refusal } from '../../contract/errors.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { recordUserDeletion } from '../../platform/db/restore-journal.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { ensureManagerRemains, lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { auditedFields, auditSubject, getUserWithRoles, type UserWithRoles, withRoles } from './list-users.ts'
import { canChangeUser, canDeleteUser, canWriteUsers } from './user.policy.ts'
import { deleteUserRow, findUserRowByEmail } from './user.queries.ts'
import { aboutAccount, aboutUser } from './user-email.ts'

/**
 * Deletes a user, with their sign-in methods and queued emails.
 * @throws {Refusal} `not_found`, `right_not_held`, `own_account`, `last_manager`
 */
export async function deleteUser(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteUsers)

  await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const user = await getUserWithRoles(tx, id)
    await removeUser(tx, actor, user, ctx.now())
    await record(tx, ctx, { action: 'user.deleted', subject: auditSubject(user), before: auditedFields(user) })
  })
}

/**
 * Deletes a user, with their sign-in methods and queued emails. The caller writes the audit entry.
 * @param tx holds the lock of `lockUsersAndAuthorize`
 * @throws {Refusal} `right_not_held`, `own_account`, `last_manager`
 */
export async function removeUser(tx: Transaction, actor: Actor, user: UserWithRoles, now: Date): Promise<void> {
  if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
  if (!canDeleteUser(actor, user)) throw new Refusal('own_account')
  await ensureManagerRemains(tx, () => removeAccount(tx, user.id, now))
}

/** Deletes a user as `removeUser` does, without checking rights. */
export async function removeAccount(tx: Transaction, id: number, now: Date): Promise<void> {
  await deleteUserRow(tx, id)
  await deleteEmailsAbout(tx, [aboutUser(id), aboutAccount(id)])
  await recordUserDeletion(tx, id, now)
}

/** The user with an address (in lower case). */
export async function findUserByEmail(db: Db, email: string): Promise<UserWithRoles | undefined> {
  const row = await findUserRowByEmail(db, email)
  return row && (await withRoles(db, [row]))[0]
}
