import type { Database } from '../../platform/db/database.ts'

export async function findLastVisit(db: Database, userId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['signed_in_before_at', 'created_at'])
    .executeTakeFirst()
  return row && new Date(row.signed_in_before_at ?? row.created_at)
}
