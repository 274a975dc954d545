import { Refusal } from '../../contract/errors.ts'
import type { Actor } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { keepAManager } from '../roles/keep-a-manager.ts'
import { type RoledUser, withRoles } from './show-users.ts'
import { canChangeUser, canDeleteUser } from './user.policy.ts'
import { deleteUserRow, findUserRowByEmail } from './user.queries.ts'
import { aboutAccount, aboutUser } from './user-letter.ts'

/**
 * Removes a user, with all that lets them in and the letters that wait for them. Whoever calls it says so in the log.
 * @param tx holds the lock of `lockPeople`
 * @throws {Refusal} `right_not_held`, `own_account`, `last_manager`
 */
export async function removeUser(tx: Transaction, actor: Actor, user: RoledUser): Promise<void> {
  if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
  if (!canDeleteUser(actor, user)) throw new Refusal('own_account')
  await keepAManager(tx, () => deleteUserRow(tx, user.id))
  await dropLetters(tx, [aboutUser(user.id), aboutAccount(user.id)])
}

/** The user who has an address, in lower case. */
export async function findUserOf(db: Database | Transaction, email: string): Promise<RoledUser | undefined> {
  const row = await findUserRowByEmail(db, email)
  return row && (await withRoles(db, [row]))[0]
}
