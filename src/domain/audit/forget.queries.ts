import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Transaction } from '../../platform/db/database.ts'

export interface NamingRow {
  id: number
  action: string
  at: string
  actor_id: number | null
  subject_type: string
  subject_id: string | null
  subject_name: string
  before: string | null
  after: string | null
}

/** Changes that name an address or that are of, or about, a user. It reads the whole log: that is asked for rarely. */
export async function listNaming(
  db: Database | Transaction,
  of: { email: string; userIds: readonly number[] },
): Promise<NamingRow[]> {
  const { email, userIds } = of
  const pattern = `%${email.replace(/[\\%_]/g, '\\$&')}%`
  const said = sql`lower(subject_name || ' ' || coalesce("before", '') || ' ' || coalesce("after", ''))`
  const conditions: RawBuilder<SqlBool>[] = [
    sql<SqlBool>`${said} like ${pattern} escape '\\'`,
    ...(userIds.length > 0
      ? [
          sql<SqlBool>`actor_id in (${sql.join(userIds)})`,
          sql<SqlBool>`(subject_type = 'user' and subject_id in (${sql.join(userIds.map(String))}))`,
        ]
      : []),
  ]
  const { rows } = await sql<NamingRow>`
    select id, action, at, actor_id, subject_type, subject_id, subject_name, "before", "after" from audit
    where ${sql.join(conditions, sql` or `)} order by id`.execute(db)
  return rows
}

export async function updateNaming(
  tx: Transaction,
  id: number,
  now: { actor_name?: string; subject_name: string; before: string | null; after: string | null },
): Promise<void> {
  await tx.updateTable('audit').set(now).where('id', '=', id).execute()
}

/** Which of these users are there. */
export async function listKnownUsers(db: Database | Transaction, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('user').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}
