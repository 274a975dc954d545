/**
 * Runs `work`, and meanwhile renews a lease every third of its duration. A failed renewal is repeated a third later: if
 * the database stays unavailable, the work itself fails.
 */
export async function whileLeased<T>(
  lease: { ms: number; renew: () => Promise<unknown>; onFailure: (error: unknown) => void },
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => void lease.renew().catch(lease.onFailure), lease.ms / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}
