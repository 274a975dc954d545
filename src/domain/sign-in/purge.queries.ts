import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** The key and the expiry column of each table. */
const expiryColumns = {
  session: { key: 'id', until: 'expires_at' },
  verification: { key: 'id', until: 'expires_at' },
  user_link: { key: 'id', until: 'expires_at' },
  used_code: { key: 'code', until: 'until' },
  known_browser: { key: 'key', until: 'until' },
  sign_in_attempt: { key: 'key', until: 'window_ends_at' },
} as const

type ExpiringTable = keyof typeof expiryColumns
export const expiringTables = Object.keys(expiryColumns) as ExpiringTable[]

/** Deletes up to `limit` expired rows. @returns how many */
export async function deleteExpired(db: Database, name: ExpiringTable, now: Date, limit: number): Promise<number> {
  const { key, until } = expiryColumns[name]
  const [table, id] = [sql.table(name), sql.ref(key)]
  const ended = sql`select ${id} from ${table} where ${sql.ref(until)} <= ${now.toISOString()} limit ${limit}`
  const { numAffectedRows } = await sql`delete from ${table} where ${id} in (${ended})`.execute(db)
  return Number(numAffectedRows)
}
