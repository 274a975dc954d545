import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { Db } from './page.queries.ts'
import type { PageAt } from './page-write.queries.ts'

/** The texts of which something is planned before an instant, each once. */
export async function listDue(db: Db, now: Date, most: number): Promise<PageAt[]> {
  const at = now.toISOString()
  return db
    .selectFrom('page_text')
    .select(['page_id as pageId', 'locale'])
    .where('publish_at', '<=', at)
    .union(db.selectFrom('page_text').select(['page_id as pageId', 'locale']).where('unpublish_at', '<=', at))
    .limit(most)
    .execute()
}

/** When the next plan is due, if there is one. */
export async function findNextDue(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select min(at) as at from (
      select min(publish_at) as at from page_text union all select min(unpublish_at) as at from page_text
    ) as plans`.execute(db)
  const at = rows[0]?.at
  return at ? new Date(at) : undefined
}

/** Forgets a plan that was carried out, or cannot be. */
export async function clearDue(
  tx: Transaction,
  { pageId, locale }: PageAt,
  which: 'publish' | 'unpublish',
): Promise<void> {
  await tx
    .updateTable('page_text')
    .set(which === 'publish' ? { publish_at: null, publish_id: null, publish_slug: null } : { unpublish_at: null })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .execute()
}
