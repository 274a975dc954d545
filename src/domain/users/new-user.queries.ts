import type { Database } from '../../platform/db/database.ts'

export async function countUsersSince(db: Database, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('user')
    .where('created_at', '>', since.toISOString())
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
