import { sql } from 'kysely'
import type { EntryCount } from '../../contract/configuration.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import type { PageEntryTable } from '../../platform/db/tables/pages.ts'

/** Entries of a collection as listed in one language: all, or those of one category. */
interface EntryFilter {
  collection: string
  locale: Locale
  category?: string | undefined
}

/** Replaces the list rows of an entry. @param only the languages of the rows; omitted: all of them */
export async function replaceEntryRows(
  tx: Transaction,
  pageId: number,
  rows: PageEntryTable[],
  only?: readonly Locale[],
): Promise<void> {
  await tx
    .deleteFrom('page_entry')
    .where('page_id', '=', pageId)
    .$if(only !== undefined, (query) => query.where('locale', 'in', only as readonly Locale[]))
    .execute()
  if (rows.length > 0) await tx.insertInto('page_entry').values(rows).execute()
}

/** Deletes the list rows in these languages. */
export async function deleteEntryRowsIn(tx: Transaction, locales: readonly Locale[]): Promise<void> {
  await tx.deleteFrom('page_entry').where('locale', 'in', locales).execute()
}

const selectEntries = (db: Db, { collection, locale, category }: EntryFilter) =>
  db
    .selectFrom('page_entry')
    .where('collection', '=', collection)
    .where('locale', '=', locale)
    .$if(category !== undefined, (query) => query.where('category', '=', category as string))

/** The number of published entries by the id of their category; entries without a category have an empty id. */
export async function countEntries(db: Db, { collection, locale }: EntryFilter): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('page_entry_count')
    .select(['category', 'counted'])
    .where('collection', '=', collection)
    .where('locale', '=', locale)
    .where('counted', '>', 0)
    .execute()
  return new Map(rows.map(({ category, counted }) => [category, counted]))
}

/** A published entry as it is listed; `textLocale` is the main language when it has no text in that of the list. */
export interface EntryRow {
  pageId: number
  textLocale: Locale
  revisionId: number
  slug: string
  date: string
}

/** A range of the entries, by their sort key. */
export async function listEntryRows(
  db: Db,
  filter: EntryFilter,
  range: { descending: boolean; offset: number; limit: number },
): Promise<EntryRow[]> {
  const direction = range.descending ? 'desc' : 'asc'
  return selectEntries(db, filter)
    .select(['page_id as pageId', 'text_locale as textLocale', 'revision_id as revisionId', 'slug', 'date'])
    .orderBy('sort_key', direction)
    .orderBy('page_id', direction)
    .limit(range.limit)
    .offset(range.offset)
    .execute()
}

/** The newest entries, regardless of the order of the collection; an index on the date covers this. */
export async function listNewestRows(
  db: Db,
  { collection, locale, category }: EntryFilter,
  limit: number,
): Promise<EntryRow[]> {
  return selectNewestRows(db, { collection, locale, limit, ...(category !== undefined && { category }) })
}

const selectNewestRows = compiledQuery(
  (db, { limit, ...filter }: { collection: string; locale: Locale; limit: number; category?: string }) =>
    selectEntries(db, filter)
      .select(['page_id as pageId', 'text_locale as textLocale', 'revision_id as revisionId', 'slug', 'date'])
      .orderBy('date', 'desc')
      .orderBy('page_id', 'desc')
      .limit(limit),
)

/** The newest entries that search engines may show. */
export const listIndexableRows = (db: Db, filter: EntryFilter, limit: number): Promise<EntryRow[]> =>
  selectEntries(db, filter)
    .select(['page_id as pageId', 'text_locale as textLocale', 'revision_id as revisionId', 'slug', 'date'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('page_text')
          .select('page_text.page_id')
          .whereRef('page_text.page_id', '=', 'page_entry.page_id')
          .whereRef('page_text.locale', '=', 'page_entry.text_locale')
          .where('page_text.live_noindex', '=', 0),
      ),
    )
    .orderBy('date', 'desc')
    .orderBy('page_id', 'desc')
    .limit(limit)
    .execute()

/** The dates on which the listed texts were last published, by page id; empty when a text is no longer live. */
export async function findPublicationDates(
  db: Db,
  rows: readonly Pick<EntryRow, 'pageId' | 'textLocale'>[],
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ pageId }) => pageId)
  const texts = await db
    .selectFrom('page_text')
    .select(['page_id', 'locale', 'live_date'])
    .where('page_id', 'in', ids)
    .where('live_date', 'is not', null)
    .execute()
  const dateOf = new Map(texts.map((row) => [`${row.page_id} ${row.locale}`, row.live_date ?? '']))
  return new Map(rows.map(({ pageId, textLocale }) => [pageId, dateOf.get(`${pageId} ${textLocale}`) ?? '']))
}

/** The date of an entry, and the entries with the next lower and higher sort keys; empty when it is no entry. */
export async function findNeighbourRows(
  db: Db,
  filter: EntryFilter,
  pageId: number,
): Promise<{ date?: string; lower?: EntryRow | undefined; higher?: EntryRow | undefined }> {
  const entry = await db
    .selectFrom('page_entry')
    .select(['sort_key', 'date'])
    .where('page_id', '=', pageId)
    .where('locale', '=', filter.locale)
    .executeTakeFirst()
  if (!entry) return {}
  const findNeighbour = (higher: boolean) =>
    selectEntries(db, filter)
      .select(['page_id as pageId', 'text_locale as textLocale', 'revision_id as revisionId', 'slug', 'date'])
      .where((eb) => eb(eb.refTuple('sort_key', 'page_id'), higher ? '>' : '<', eb.tuple(entry.sort_key, pageId)))
      .orderBy('sort_key', higher ? 'asc' : 'desc')
      .orderBy('page_id', higher ? 'asc' : 'desc')
      .limit(1)
      .executeTakeFirst()
  return { date: entry.date, lower: await findNeighbour(false), higher: await findNeighbour(true) }
}

/** For each overview with entries, in each language, the latest date on which one of its texts was published. */
export function listOverviewDates(db: Db): Promise<{ collection: string; locale: Locale; date: string }[]> {
  return db
    .selectFrom('page_entry')
    .innerJoin('page_text', (join) =>
      join
        .onRef('page_text.page_id', '=', 'page_entry.page_id')
        .onRef('page_text.locale', '=', 'page_entry.text_locale'),
    )
    .where('page_text.live_date', 'is not', null)
    .select((eb) => ['page_entry.collection', 'page_entry.locale', eb.fn.max<string>('page_text.live_date').as('date')])
    .groupBy(['page_entry.collection', 'page_entry.locale'])
    .execute()
}

/** Whether a collection has entries, also in the trash, whose text in a language is not below this slug. */
export async function hasEntriesElsewhere(
  db: Db,
  { collection, locale, slug }: { collection: string; locale: Locale; slug: string },
): Promise<boolean> {
  const prefix = `${slug}/`
  return hasResults(
    db
      .selectFrom('page')
      .innerJoin('page_text', 'page_text.page_id', 'page.id')
      .where('page.collection', '=', collection)
      .where('page_text.locale', '=', locale)
      // The length is inlined, because PostgreSQL cannot infer the type of a parameter here.
      .where(sql<string>`substr(page_text.slug, 1, ${sql.lit([...prefix].length)})`, '!=', prefix),
  )
}

/** The ids of the entries of removed collections, which are hidden, as a subquery. */
export const selectHiddenIds = (db: Db, { collections = [] }: Pick<SiteConfig, 'collections'>) => {
  const entries = db.selectFrom('page').select('id').where('collection', 'is not', null)
  const ids = collections.map(({ id }) => id)
  return ids.length === 0 ? entries : entries.where('collection', 'not in', ids)
}

/** The number of entries of each collection that has any outside the trash. */
export async function countEntriesByCollection(db: Db): Promise<EntryCount[]> {
  const rows = await db
    .selectFrom('page')
    .select(['collection', (eb) => eb.fn.countAll<number | string>().as('entries')])
    .where('collection', 'is not', null)
    .where('trashed', '=', 0)
    .groupBy('collection')
    .orderBy('collection')
    .execute()
  return rows.map(({ collection, entries }) => ({ id: collection ?? '', entries: Number(entries) }))
}

/** All published entries, the last created first. */
export async function listPublishedEntries(db: Db): Promise<{ id: number; collection: string }[]> {
  const rows = await db
    .selectFrom('page')
    .select(['id', 'collection'])
    .where('collection', 'is not', null)
    .where(sql<boolean>`exists (select 1 from page_text where page_id = page.id and live_id is not null)`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, collection }) => ({ id, collection: collection ?? '' }))
}

/** The ids of published entries above `afterId`, in ascending order, to read them in batches. */
export async function listEntryIds(db: Db, collection: string, afterId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('page')
    .select('id')
    .where('collection', '=', collection)
    .where('id', '>', afterId)
    .where(sql<boolean>`exists (select 1 from page_text where page_id = page.id and live_id is not null)`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
