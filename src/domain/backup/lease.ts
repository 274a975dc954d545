import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'

/** The process that works renews its lease three times in this time. */
const leaseMs = 60_000

/** A lease from now on, by the clock of the database, which all copies of the program share. */
export async function leaseFrom(
  { dialect }: Pick<Context, 'dialect'>,
  db: Context['db'] | Transaction,
): Promise<{ lease_until: string }> {
  const from = await dialect.clock(db)
  return { lease_until: new Date(from.getTime() + leaseMs).toISOString() }
}

/** Whether the process that works on this has ended. */
export async function hasLeaseEnded(
  { dialect }: Pick<Context, 'dialect'>,
  tx: Transaction,
  { lease_until: until }: { lease_until: string | null },
): Promise<boolean> {
  return until === null || until < (await dialect.clock(tx)).toISOString()
}

/** Renews a lease while `work` goes on. */
export async function whileLeased<T>(
  ctx: Pick<Context, 'db' | 'dialect'>,
  renew: (lease: { lease_until: string }) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => {
    leaseFrom(ctx, ctx.db)
      .then(renew)
      // The next renewal is in time, and a database that stays away ends the work too.
      .catch(() => {})
  }, leaseMs / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}
