import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { deleteExpired, expiringTables } from './purge.queries.ts'

/** Rows per statement, few enough not to delay sign-ins. */
const batch = 500

/** Deletes expired sessions, links, codes, attempt counts and known browsers. @returns how many */
export async function purgeSignIn(
  ctx: Pick<Context, 'db' | 'now'>,
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  let removed = 0
  for (const table of expiringTables) {
    for (let deleted = batch; deleted === batch && !input.signal?.aborted; removed += deleted) {
      deleted = await deleteExpired(ctx.db, table, ctx.now(), batch)
      // SQLite queries are synchronous, so without this no other request would run in between.
      await nextTurn()
    }
  }
  return removed
}
