import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

/** The number of sessions of the site's PostgreSQL database that wait for a lock. */
export async function countLockWaits(site: TestApp): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
  `.execute(site.db)
  return Number(rows[0]?.count)
}
