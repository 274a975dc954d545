import type { Transaction } from '../../platform/db/database.ts'
import { deleteLinksOf } from './link.queries.ts'
import { deleteSessionsOf } from './session.queries.ts'

/**
 * Ends the sessions of users in every browser, the sign-ins that wait for a code, and the links that are open. Belongs
 * to every new password and block, and to an address that somebody else changed.
 * @param except id of the session to keep, of who changes something of their own
 */
export async function endSessions(tx: Transaction, userIds: readonly number[], except?: number): Promise<void> {
  if (userIds.length === 0) return
  await deleteSessionsOf(tx, userIds, except)
  await deleteLinksOf(tx, userIds)
}
