import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Transaction } from '../../platform/db/database.ts'

export interface StoredAuditEntry {
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

/**
 * Entries that contain an email address, or whose actor or subject is one of these users, oldest first. It scans the whole log,
 * which is acceptable because it is rarely called.
 */
export async function listEntriesAbout(
  db: Db,
  { email, userIds }: { email: string; userIds: readonly number[] },
): Promise<StoredAuditEntry[]> {
  const pattern = `%${email.replace(/[\\%_]/g, '\\$&')}%`
  const searched = sql`lower(subject_name || ' ' || coalesce("before", '') || ' ' || coalesce("after", ''))`
  const conditions: RawBuilder<SqlBool>[] = [
    sql<SqlBool>`${searched} like ${pattern} escape '\\'`,
    ...(userIds.length > 0
      ? [
          sql<SqlBool>`actor_id in (${sql.join(userIds)})`,
          sql<SqlBool>`(subject_type = 'user' and subject_id in (${sql.join(userIds.map(String))}))`,
        ]
      : []),
  ]
  const { rows } = await sql<StoredAuditEntry>`
    select id, action, at, actor_id, subject_type, subject_id, subject_name, "before", "after" from audit
    where ${sql.join(conditions, sql` or `)} order by id`.execute(db)
  return rows
}

/** Overwrites what may name a person in an entry. */
export async function updateEntry(
  tx: Transaction,
  id: number,
  values: { actor_name?: string; subject_name: string; before: string | null; after: string | null },
): Promise<void> {
  await tx.updateTable('audit').set(values).where('id', '=', id).execute()
}

/** The ids among these that belong to an existing user. */
export async function listExistingUserIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('user').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}
