import type { Context } from '../../platform/context.ts'
import { inBatches } from '../../platform/in-batches.ts'
import { deleteExpired, expiringTables } from './purge.queries.ts'

/** Rows per statement, few enough not to delay sign-ins. */
const batch = 500

/** Deletes expired sessions, links, codes, attempt counts and known browsers. @returns how many */
export async function purgeSignIn(ctx: Pick<Context, 'db' | 'now'>, signal?: AbortSignal): Promise<number> {
  let removed = 0
  for (const table of expiringTables) {
    removed += await inBatches(batch, signal, () => deleteExpired(ctx.db, table, ctx.now(), batch))
  }
  return removed
}
