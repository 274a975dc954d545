import type { Transaction } from '../../platform/db/database.ts'
import { deleteLinkedAccounts, deletePasskeys } from './account.queries.ts'

/**
 * Removes every way in but the password: links with an identity provider, and passkeys.
 * @returns how many there were
 */
export async function removeOtherWays(tx: Transaction, userId: number): Promise<number> {
  return (await deleteLinkedAccounts(tx, userId)) + (await deletePasskeys(tx, userId))
}
