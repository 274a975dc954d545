import type { Transaction } from '../../platform/db/database.ts'
import { renameWriter } from './writer.queries.ts'

/** Lets pages and their history forget who somebody was: by which number something was written stays, as in the log. */
export async function forgetWriters(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) await renameWriter(tx, id, `#${id}`)
}
