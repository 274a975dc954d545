import type { Database, Transaction } from '../../platform/db/database.ts'

export interface Attempts {
  failures: number
  waitUntil: Date | undefined
  windowEndsAt: Date
}

/** What is counted under these keys; a window that ended counts as none. */
export async function findAttempts(tx: Transaction, keys: string[], now: Date): Promise<Map<string, Attempts>> {
  const rows = await tx
    .selectFrom('sign_in_attempt')
    .where('key', 'in', keys)
    .where('window_ends_at', '>', now.toISOString())
    .select(['key', 'failures', 'wait_until', 'window_ends_at'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.key,
      {
        failures: row.failures,
        waitUntil: row.wait_until === null ? undefined : new Date(row.wait_until),
        windowEndsAt: new Date(row.window_ends_at),
      },
    ]),
  )
}

export async function upsertAttempts(tx: Transaction, key: string, attempts: Attempts): Promise<void> {
  const counted = {
    failures: attempts.failures,
    wait_until: attempts.waitUntil?.toISOString() ?? null,
    window_ends_at: attempts.windowEndsAt.toISOString(),
  }
  await tx
    .insertInto('sign_in_attempt')
    .values({ key, ...counted })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(counted))
    .execute()
}

/** One failure less under each key, and no waiting for it. */
export async function takeBackAttempts(tx: Transaction, keys: string[]): Promise<void> {
  await tx
    .updateTable('sign_in_attempt')
    .set((eb) => ({ failures: eb('failures', '-', 1), wait_until: null }))
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute()
}

export async function deleteAttempts(tx: Transaction, keys: string[]): Promise<void> {
  await tx.deleteFrom('sign_in_attempt').where('key', 'in', keys).execute()
}

export async function findKnownPlaces(db: Database, keys: string[], now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('known_place')
    .where('key', 'in', keys)
    .where('until', '>', now.toISOString())
    .select('key')
    .execute()
  return rows.map((row) => row.key)
}

export async function upsertKnownPlaces(tx: Transaction, keys: string[], until: Date): Promise<void> {
  await tx
    .insertInto('known_place')
    .values(keys.map((key) => ({ key, until: until.toISOString() })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ until: until.toISOString() }))
    .execute()
}
