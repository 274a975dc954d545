import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { whileLeased } from '../../platform/while-leased.ts'

/** The duration of a lease. Its holder renews it three times as often. */
const leaseMs = 60_000

/** Creates a lease, by the clock of the database, because the clocks of instances may differ. */
export async function createLease(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
): Promise<{ lease_until: string }> {
  const now = await dialect.clock(db)
  return { lease_until: new Date(now.getTime() + leaseMs).toISOString() }
}

/**
 * Whether a lease has expired, which means that its holder died. After the clock was set back, a live holder soon
 * renews its lease to a near time; so a lease that stays far ahead, like the start of its work, is of a dead holder.
 */
export async function hasLeaseExpired(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
  { lease_until: until, started_at: startedAt = null }: { lease_until: string | null; started_at?: string | null },
): Promise<boolean> {
  if (until === null) return true
  const now = await dialect.clock(db)
  const startedInFuture = startedAt !== null && Date.parse(startedAt) > now.getTime() + leaseMs
  return until < now.toISOString() || (startedInFuture && Date.parse(until) > now.getTime() + 2 * leaseMs)
}

/** Renews a lease while `work` runs. @param renew stores the new lease; its errors are ignored */
export const withRenewedLease = <T>(
  ctx: Pick<Context, 'db' | 'dialect'>,
  renew: (lease: { lease_until: string }) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> =>
  whileLeased({ ms: leaseMs, renew: async () => renew(await createLease(ctx, ctx.db)), onFailure: () => {} }, work)
