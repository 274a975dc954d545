import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** The key column of each table, and the column with the time at which a row expires. */
const expiryColumns = {
  session: { key: 'id', expiry: 'expires_at' },
  verification: { key: 'id', expiry: 'expires_at' },
  user_link: { key: 'id', expiry: 'expires_at' },
  used_code: { key: 'code', expiry: 'until' },
  known_browser: { key: 'key', expiry: 'until' },
  sign_in_attempt: { key: 'key', expiry: 'window_ends_at' },
} as const

type ExpiringTable = keyof typeof expiryColumns
export const expiringTables = Object.keys(expiryColumns) as ExpiringTable[]

/** Deletes up to `limit` expired rows. @returns how many */
export async function deleteExpired(db: Database, name: ExpiringTable, now: Date, limit: number): Promise<number> {
  const { key, expiry } = expiryColumns[name]
  const [table, id] = [sql.table(name), sql.ref(key)]
  const expired = sql`select ${id} from ${table} where ${sql.ref(expiry)} <= ${now.toISOString()} limit ${limit}`
  const { numAffectedRows } = await sql`delete from ${table} where ${id} in (${expired})`.execute(db)
  return Number(numAffectedRows)
}
