import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** What goes by itself: its key, and the instant that says when. */
const fleeting = {
  session: { key: 'id', until: 'expires_at' },
  verification: { key: 'id', until: 'expires_at' },
  user_link: { key: 'id', until: 'expires_at' },
  used_code: { key: 'code', until: 'until' },
  known_place: { key: 'key', until: 'until' },
  sign_in_attempt: { key: 'key', until: 'window_ends_at' },
} as const

export type Fleeting = keyof typeof fleeting
export const fleetingTables = Object.keys(fleeting) as Fleeting[]

/** Removes up to `limit` rows whose time is over. @returns how many */
export async function deleteEnded(db: Database, name: Fleeting, now: Date, limit: number): Promise<number> {
  const { key, until } = fleeting[name]
  const [table, id] = [sql.table(name), sql.ref(key)]
  const ended = sql`select ${id} from ${table} where ${sql.ref(until)} <= ${now.toISOString()} limit ${limit}`
  const { numAffectedRows } = await sql`delete from ${table} where ${id} in (${ended})`.execute(db)
  return Number(numAffectedRows)
}
