import { dayMs } from '../../contract/limits.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import { inBatches } from '../../platform/in-batches.ts'
import { deleteOldestAudit } from './audit.queries.ts'

/** Rows per statement, few enough not to delay visitors. */
const batch = 500

/** Deletes audit entries past their retention period. @returns how many */
export async function purgeAudit(
  ctx: Pick<Context, 'transaction' | 'now' | 'site'>,
  signal?: AbortSignal,
): Promise<number> {
  const { auditDays } = ctx.site.retention ?? defaultRetention
  const before = new Date(ctx.now().getTime() - auditDays * dayMs)
  return inBatches(batch, signal, () => ctx.transaction((tx) => deleteOldestAudit(tx, { before, limit: batch })))
}
