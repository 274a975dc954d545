import type { Context } from '../../platform/context.ts'
import { inBatches } from '../../platform/in-batches.ts'
import { deleteExpired, expiringTables } from './purge.queries.ts'

/** Rows per statement, few enough not to delay sign-ins. */
const batchSize = 500

/**
 * Deletes what has expired: sessions, pending sign-ins, links, used codes, known browsers and attempt counts.
 * @param signal stops it after a batch
 * @returns how many rows
 */
export async function purgeSignIn(ctx: Pick<Context, 'db' | 'now'>, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  for (const table of expiringTables) {
    deleted += await inBatches(batchSize, signal, () => deleteExpired(ctx.db, table, ctx.now(), batchSize))
  }
  return deleted
}
