import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { endReading, listReadingLeases, renewReading, startReading } from './backup-run.queries.ts'
import { hasLeaseEnded, leaseFrom, whileLeased } from './lease.ts'

/**
 * Reads a backup for as long as `work` takes, unless a process of the site reads one already: each restores a whole copy
 * aside, and processes of one machine share its disk.
 * @throws {Refusal} `too_many`
 */
export async function readAlone<T>(
  ctx: Pick<Context, 'db' | 'dialect' | 'transaction'>,
  runId: number,
  work: () => Promise<T>,
): Promise<T> {
  /** The leases of this reader: when one expires, the backup may be that of the next reader, who has another. */
  const own: string[] = []
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    if ((await listReadRuns(ctx, tx)).size > 0) throw new Refusal('too_many', { retryAfter: 5 })
    const { lease_until: until } = await leaseFrom(ctx, tx)
    own.push(until)
    await startReading(tx, runId, until)
  })
  try {
    return await whileLeased(
      ctx,
      async ({ lease_until: until }) => {
        own.push(until)
        await renewReading(ctx.db, runId, own, until)
      },
      work,
    )
  } finally {
    // What was done stays done: without the database the lease ends by itself.
    await endReading(ctx.db, runId, own).catch(() => {})
  }
}

/** The ids of the backups that a process reads. */
export async function listReadRuns(
  ctx: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
): Promise<Set<number>> {
  const read = new Set<number>()
  for (const lease of await listReadingLeases(db)) if (!(await hasLeaseEnded(ctx, db, lease))) read.add(lease.id)
  return read
}
