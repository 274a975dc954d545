import { sql } from 'kysely'
import type { Database } from '../../src/platform/db/database.ts'
import { addManyPages } from './many-pages.ts'

/**
 * Inserts this number of published Dutch entries into a collection; every other one is in the category `tip`. The other pages
 * that `addManyPages` inserts stay ordinary pages.
 * @returns the slugs of the published ones
 */
export async function addManyEntries(db: Database, collection: string, count: number): Promise<string[]> {
  // Two of three pages are published.
  await addManyPages(db, Math.ceil((count * 3) / 2) + 2)
  const rows = await db
    .selectFrom('page_text')
    .select(['page_id', 'live_slug', 'live_date'])
    .where('live_slug', 'like', 'pagina-%')
    .orderBy('page_id')
    .limit(count)
    .execute()
  const lastPageId = Math.max(...rows.map(({ page_id }) => page_id))
  await db
    .updateTable('page')
    .set({ collection })
    .where('id', 'in', (qb) => qb.selectFrom('page_text').select('page_id').where('live_slug', 'like', 'pagina-%'))
    .where('id', '<=', lastPageId)
    .execute()
  await db
    .insertInto('page_entry')
    .columns(['page_id', 'locale', 'collection', 'text_locale', 'revision_id', 'slug', 'date', 'category', 'sort_key'])
    .expression(
      db
        .selectFrom('page_text')
        .where('live_slug', 'like', 'pagina-%')
        .where('page_id', '<=', lastPageId)
        .select([
          'page_id',
          'locale',
          sql.lit(collection).as('collection'),
          'locale as text_locale',
          sql<number>`live_id`.as('revision_id'),
          sql<string>`live_slug`.as('slug'),
          sql<string>`live_date`.as('date'),
          sql<string>`case when page_id % 2 = 0 then 'tip' else '' end`.as('category'),
          sql<string>`live_date`.as('sort_key'),
        ]),
    )
    .execute()
  return rows.map((row) => row.live_slug ?? '')
}
