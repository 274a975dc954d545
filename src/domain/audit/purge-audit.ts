import { setImmediate as nextTurn } from 'node:timers/promises'
import { dayMs } from '../../contract/limits.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import { deleteOldestAudit } from './audit.queries.ts'

/** Rows per statement, few enough not to delay visitors. */
const batch = 500

/** Deletes audit entries past their retention period. @returns how many */
export async function purgeAudit(
  ctx: Pick<Context, 'transaction' | 'now' | 'site'>,
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  const { auditDays } = ctx.site.retention ?? defaultRetention
  const before = new Date(ctx.now().getTime() - auditDays * dayMs)
  let removed = 0
  for (let deleted = batch; deleted === batch && !input.signal?.aborted; removed += deleted) {
    deleted = await ctx.transaction((tx) => deleteOldestAudit(tx, { before, limit: batch }))
    await nextTurn()
  }
  return removed
}
