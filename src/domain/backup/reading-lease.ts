import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { listReadingLeases, startReadingLease, updateReadingLease } from './backup-run.queries.ts'
import { createLease, hasLeaseExpired, withRenewedLease } from './lease.ts'

/**
 * Holds the lease to read a backup while `work` runs. Only one process of the site reads backups at a time, because
 * each restores a whole copy, and processes of one machine share its disk.
 * @throws {Refusal} `too_many` when a process reads a backup already
 */
export async function withReadingLease<T>(
  ctx: Pick<Context, 'db' | 'dialect' | 'transaction'>,
  runId: number,
  work: () => Promise<T>,
): Promise<T> {
  const firstEnd = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    for (const lease of await listReadingLeases(tx)) {
      if (!(await hasLeaseExpired(ctx, tx, lease))) throw new Refusal('too_many', { retryAfter: 5 })
    }
    const { lease_until: until } = await createLease(ctx, tx)
    await startReadingLease(tx, runId, until)
    return until
  })
  // All ends of this lease, each added before it is written: a renewal may be under way when reading ends.
  const ownLeaseEnds = [firstEnd]
  const renew = ({ lease_until: until }: { lease_until: string }) => {
    ownLeaseEnds.push(until)
    return updateReadingLease(ctx.db, runId, ownLeaseEnds, until)
  }
  try {
    return await withRenewedLease(ctx, renew, work)
  } finally {
    // A failed release is ignored: the lease expires.
    await updateReadingLease(ctx.db, runId, ownLeaseEnds, null).catch(() => {})
  }
}
