import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { changeReading, listReadingLeases, startReading } from './backup-run.queries.ts'
import { hasLeaseEnded, leaseFrom, whileRenewed } from './lease.ts'

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
  const first = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    for (const lease of await listReadingLeases(tx)) {
      if (!(await hasLeaseEnded(ctx, tx, lease))) throw new Refusal('too_many', { retryAfter: 5 })
    }
    const { lease_until: until } = await leaseFrom(ctx, tx)
    await startReading(tx, runId, until)
    return until
  })
  /** Before it is written: a renewal may be under way when reading ends. */
  const own = [first]
  const renew = ({ lease_until: until }: { lease_until: string }) => {
    own.push(until)
    return changeReading(ctx.db, runId, own, until)
  }
  try {
    return await whileRenewed(ctx, renew, work)
  } finally {
    // A failed release is ignored: the lease expires.
    await changeReading(ctx.db, runId, own, null).catch(() => {})
  }
}
