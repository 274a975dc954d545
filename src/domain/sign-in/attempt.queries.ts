import type { Database, Transaction } from '../../platform/db/database.ts'

export interface AttemptCount {
  failures: number
  waitUntil: Date | undefined
  windowEndsAt: Date
}

/** The counts of these keys; expired windows are omitted. */
export async function findAttempts(tx: Transaction, keys: string[], now: Date): Promise<Map<string, AttemptCount>> {
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

export async function upsertAttempts(tx: Transaction, key: string, attempts: AttemptCount): Promise<void> {
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

/** Subtracts one failure from each key, and clears its waiting time. */
export async function decrementAttempts(tx: Transaction, keys: string[]): Promise<void> {
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

export async function listKnownBrowsers(db: Database, keys: string[], now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('known_browser')
    .where('key', 'in', keys)
    .where('until', '>', now.toISOString())
    .select('key')
    .execute()
  return rows.map((row) => row.key)
}

/** @param person a keyed hash of the name, which `deleteKnownBrowsers` uses */
export async function upsertKnownBrowsers(
  tx: Transaction,
  keys: string[],
  { person, until }: { person: string; until: Date },
): Promise<void> {
  await tx
    .insertInto('known_browser')
    .values(keys.map((key) => ({ key, person, until: until.toISOString() })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ until: until.toISOString() }))
    .execute()
}

export async function deleteKnownBrowsers(tx: Transaction, person: string): Promise<void> {
  await tx.deleteFrom('known_browser').where('person', '=', person).execute()
}
