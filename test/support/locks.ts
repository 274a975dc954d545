import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

/** How many wait for what another transaction holds, on PostgreSQL. */
export async function waitingForLocks(site: TestApp): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
  `.execute(site.db)
  return Number(rows[0]?.count)
}
