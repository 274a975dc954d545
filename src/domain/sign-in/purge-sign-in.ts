import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { deleteEnded, fleetingTables } from './purge.queries.ts'

/** Rows in one statement: few enough that nobody who signs in meanwhile has to wait. */
const batch = 500

/** Removes sessions, links, codes, counts and known places whose time is over. @returns how many */
export async function purgeSignIn(
  ctx: Pick<Context, 'db' | 'now'>,
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  let removed = 0
  for (const table of fleetingTables) {
    for (let dropped = batch; dropped === batch && !input.signal?.aborted; removed += dropped) {
      dropped = await deleteEnded(ctx.db, table, ctx.now(), batch)
      // SQLite answers at once, so nobody else would get a turn.
      await turn()
    }
  }
  return removed
}
