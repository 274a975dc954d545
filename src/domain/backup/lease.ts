import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { whileLeased } from '../../platform/while-leased.ts'

/** The duration of a lease; the process that holds it renews it every third of this time. */
const leaseMs = 60_000

/** A new lease, by the clock of the database, because the clocks of instances may differ. */
export async function leaseFrom(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
): Promise<{ lease_until: string }> {
  const from = await dialect.clock(db)
  return { lease_until: new Date(from.getTime() + leaseMs).toISOString() }
}

/**
 * Whether the lease has expired, which means that the process that held it died. When the clock is set back, a live one has a
 * lease of the usual duration again after a third of it, and that of a dead one stays far ahead, as does the start of its work.
 */
export async function hasLeaseEnded(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
  { lease_until: until, started_at: start = null }: { lease_until: string | null; started_at?: string | null },
): Promise<boolean> {
  if (until === null) return true
  const now = await dialect.clock(db)
  const isOfClockAhead = start !== null && Date.parse(start) > now.getTime() + leaseMs
  return until < now.toISOString() || (isOfClockAhead && Date.parse(until) > now.getTime() + 2 * leaseMs)
}

/** Renews a lease while `work` goes on. */
export const whileRenewed = <T>(
  ctx: Pick<Context, 'db' | 'dialect'>,
  renew: (lease: { lease_until: string }) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> =>
  whileLeased({ ms: leaseMs, renew: async () => renew(await leaseFrom(ctx, ctx.db)), onFailure: () => {} }, work)
