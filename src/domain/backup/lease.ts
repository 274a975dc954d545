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

/** Whether the lease has expired, which means that the process that held it died. */
export async function hasLeaseEnded(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
  { lease_until: until }: { lease_until: string | null },
): Promise<boolean> {
  return until === null || until < (await dialect.clock(db)).toISOString()
}

/** Renews a lease while `work` goes on. */
export const whileRenewed = <T>(
  ctx: Pick<Context, 'db' | 'dialect'>,
  renew: (lease: { lease_until: string }) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> =>
  whileLeased({ ms: leaseMs, renew: async () => renew(await leaseFrom(ctx, ctx.db)), onFailure: () => {} }, work)
