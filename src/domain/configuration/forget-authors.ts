import type { Transaction } from '../../platform/db/database.ts'
import { renameAuthor } from './configuration.queries.ts'

/** Lets the history of the configuration forget who somebody was: the number stays, as in the log. */
export async function forgetAuthors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) await renameAuthor(tx, id, `#${id}`)
}
