import type { Database, Transaction } from '../../platform/db/database.ts'

/** The failed attempts under one key within a window. */
export interface AttemptCount {
  failures: number
  /** Attempts before this time are refused; only under a key with a growing delay. */
  waitUntil: Date | undefined
  windowEndsAt: Date
}

/** The counts by key; expired windows are left out. */
export async function findAttemptCounts(
  tx: Transaction,
  keys: string[],
  now: Date,
): Promise<Map<string, AttemptCount>> {
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

export async function upsertAttemptCount(tx: Transaction, key: string, count: AttemptCount): Promise<void> {
  const columns = {
    failures: count.failures,
    wait_until: count.waitUntil?.toISOString() ?? null,
    window_ends_at: count.windowEndsAt.toISOString(),
  }
  await tx
    .insertInto('sign_in_attempt')
    .values({ key, ...columns })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
    .execute()
}

/** Subtracts one failure from each key, and clears its waiting time. */
export async function decrementAttemptCounts(tx: Transaction, keys: string[]): Promise<void> {
  await tx
    .updateTable('sign_in_attempt')
    .set((eb) => ({ failures: eb('failures', '-', 1), wait_until: null }))
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute()
}

export async function deleteAttemptCounts(tx: Transaction, keys: string[]): Promise<void> {
  await tx.deleteFrom('sign_in_attempt').where('key', 'in', keys).execute()
}

/** Those of the keys that stand for a known browser or address: see `rememberKnownBrowser`. */
export async function listKnownKeys(db: Database, keys: string[], now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('known_browser')
    .where('key', 'in', keys)
    .where('until', '>', now.toISOString())
    .select('key')
    .execute()
  return rows.map((row) => row.key)
}

/**
 * Stores the browser and the address of a client as known.
 * @param person a keyed hash of the identifier, by which `deleteKnownBrowsers` finds the rows
 */
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
