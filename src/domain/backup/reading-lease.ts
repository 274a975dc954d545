import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { endReading, listReadingLeases, renewReading, startReading } from './backup-run.queries.ts'
import { hasLeaseEnded, leaseFrom, whileLeased } from './lease.ts'

/**
 * Holds the lease to read a backup while `work` runs. Only one process of the site reads a backup at a time: each restores a
 * whole copy aside, and processes of one machine share its disk.
 * @throws {Refusal} `too_many`
 */
export async function withReadingLease<T>(
  ctx: Pick<Context, 'db' | 'dialect' | 'transaction'>,
  runId: number,
  work: () => Promise<T>,
): Promise<T> {
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    for (const lease of await listReadingLeases(tx)) {
      if (!(await hasLeaseEnded(ctx, tx, lease))) throw new Refusal('too_many', { retryAfter: 5 })
    }
    await startReading(tx, runId, (await leaseFrom(ctx, tx)).lease_until)
  })
  try {
    return await whileLeased(ctx, (lease) => renewReading(ctx.db, runId, lease.lease_until), work)
  } finally {
    // A failed release is ignored: the lease expires.
    await endReading(ctx.db, runId).catch(() => {})
  }
}
