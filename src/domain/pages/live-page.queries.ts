import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isHiddenEntry } from '../../contract/collections.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Db } from '../../platform/db/database.ts'
import { countResults } from '../../platform/db/query-results.ts'
import { selectHiddenIds } from './entry.queries.ts'
import { type PageRow, type TextRow, textsOf } from './page.queries.ts'

/** The live text of a page in one language. */
export interface LiveRow {
  pageId: number
  /** The id of the collection that the page is an entry of. */
  collection: string | null
  /** The date that the page shows. */
  date: string
  /** Shared between requests, so it must not be changed. */
  text: PageText
  /** The live slugs of the page, one for each language. */
  liveSlugs: LiveSlug[]
}

/** The live slug of a page. */
interface LiveSlug {
  pageId: number
  locale: Locale
  slug: string
}

/** The live page at a slug, also an entry of a removed collection; undefined when there is none. One index lookup. */
export async function findLiveRow(db: Db, locale: Locale, slug: string): Promise<LiveRow | undefined> {
  const rows = await selectLiveRow(db, { locale, slug })
  const [row] = rows
  const text = row?.live_id && (await findRevisionText(db, row.live_id))
  if (!row || !text) return undefined
  return {
    pageId: row.page_id,
    collection: row.collection,
    date: row.live_date ?? '',
    text,
    liveSlugs: rows.map(({ locale, live_slug }) => ({ pageId: row.page_id, locale, slug: live_slug ?? '' })),
  }
}

/** The live page at a slug that visitors see: not an entry of a removed collection, which is hidden. */
export async function findVisibleLiveRow(
  { db, site }: { db: Db; site: Pick<SiteConfig, 'collections'> },
  locale: Locale,
  slug: string,
): Promise<LiveRow | undefined> {
  const row = await findLiveRow(db, locale, slug)
  return row && !isHiddenEntry(site, row.collection) ? row : undefined
}

/** One row for each language in which the page is live. */
const selectLiveRow = compiledQuery((db, { locale, slug }: { locale: Locale; slug: string }) =>
  db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .innerJoin('page_text as live', (join) =>
      join.onRef('live.page_id', '=', 'page_text.page_id').on('live.live_slug', 'is not', null),
    )
    .select(['page_text.page_id', 'page_text.live_id', 'page_text.live_date', 'live.locale', 'live.live_slug'])
    .select('page.collection')
    .where('page_text.locale', '=', locale)
    .where('page_text.live_slug', '=', slug),
)

/** The size of the cache of revision texts, in characters of JSON. */
const maxCachedChars = 2_000_000
const textCaches = new WeakMap<Db, LRUCache<number, PageText>>()

/** The text of a revision, cached because it never changes; callers must not mutate it. Undefined for an unknown id. */
export async function findRevisionText(db: Db, id: number): Promise<PageText | undefined> {
  const cache = textCaches.get(db) ?? new LRUCache<number, PageText>({ maxSize: maxCachedChars })
  // A transaction may be rolled back, and then another revision gets this id.
  if (!db.isTransaction) textCaches.set(db, cache)
  const cached = cache.get(id)
  if (cached) return cached
  const [row] = await selectRevisionText(db, { id })
  if (!row) return undefined
  const text: PageText = JSON.parse(row.text)
  cache.set(id, text, { size: row.text.length })
  return text
}

/** The live titles of these pages, by the row of the text. The live revision is read only if another one is saved. */
export async function findLiveTitles(db: Db, pages: readonly PageRow[]): Promise<Map<TextRow, string>> {
  const titles = new Map<TextRow, string>()
  for (const text of pages.flatMap(textsOf)) {
    if (text.liveRevisionId === null) continue
    const isSaved = text.liveRevisionId === text.savedRevisionId
    const title = isSaved ? text.title : (await findRevisionText(db, text.liveRevisionId))?.title
    if (title !== undefined) titles.set(text, title)
  }
  return titles
}

const selectRevisionText = compiledQuery((db, { id }: { id: number }) =>
  db.selectFrom('page_revision').select('text').where('id', '=', id),
)

/** Yields the live texts of a language whose stored JSON has at least `minChars` characters. */
export async function* iterateLongLiveTexts(db: Db, locale: Locale, minChars: number): AsyncGenerator<PageText> {
  for (let afterId = 0; ; ) {
    const row = await db
      .selectFrom('page_text')
      .innerJoin('page_revision', 'page_revision.id', 'page_text.live_id')
      .select(['page_text.page_id', 'page_revision.text'])
      .where('page_text.locale', '=', locale)
      .where('page_text.page_id', '>', afterId)
      .where(sql`length(page_revision.text)`, '>=', minChars)
      .orderBy('page_text.page_id')
      .limit(1)
      .executeTakeFirst()
    if (!row) return
    afterId = row.page_id
    yield JSON.parse(row.text)
  }
}

/** Which of these slugs are live in either of two languages; `slugInLocale` is that of the same page in `locale`. */
export async function listLiveSlugsAt(
  db: Db,
  slugs: readonly string[],
  { locale, fallback }: { locale: Locale; fallback: Locale },
): Promise<{ pageId: number; slug: string; locale: Locale; slugInLocale: string | null }[]> {
  if (slugs.length === 0) return []
  return db
    .selectFrom('page_text')
    .leftJoin('page_text as requested', (join) =>
      join.onRef('requested.page_id', '=', 'page_text.page_id').on('requested.locale', '=', locale),
    )
    .select(['page_text.page_id as pageId', 'page_text.live_slug', 'page_text.locale'])
    .select('requested.live_slug as slugInLocale')
    .where('page_text.locale', 'in', [locale, fallback])
    .where('page_text.live_slug', 'in', slugs)
    .execute()
    .then((rows) => rows.map(({ live_slug, ...row }) => ({ ...row, slug: live_slug ?? '' })))
}

/** The live slugs of one page, one for each language. */
export async function listLiveSlugs(db: Db, pageId: number): Promise<LiveSlug[]> {
  const rows = await db
    .selectFrom('page_text')
    .select(['page_id', 'locale', 'live_slug'])
    .where('page_id', '=', pageId)
    .where('live_slug', 'is not', null)
    .execute()
  return rows.map((row) => ({ pageId: row.page_id, locale: row.locale, slug: row.live_slug ?? '' }))
}

/** The number of texts in the sitemap. */
export const countSitemapRows = (db: Db, site: SitemapSite): Promise<number> => countResults(selectSitemap(db, site))

/** A range of the texts in the sitemap, ordered by page and then by language, Dutch first. */
export async function listSitemapRows(db: Db, site: SitemapSite, range: { offset: number; limit: number }) {
  const rows = await selectSitemap(db, site)
    .select(['page_id', 'locale', 'live_slug', 'live_date'])
    .orderBy('page_id')
    .orderBy(sql`case locale when 'nl' then '' else locale end`)
    .offset(range.offset)
    .limit(range.limit)
    .execute()
  return rows.map((row) => ({
    pageId: row.page_id,
    locale: row.locale,
    slug: row.live_slug ?? '',
    date: row.live_date ?? '',
  }))
}

type SitemapSite = Pick<SiteConfig, 'locales' | 'collections'>

const selectSitemap = (db: Db, { locales, collections }: SitemapSite) =>
  db
    .selectFrom('page_text')
    .where('live_slug', 'is not', null)
    .where('live_noindex', '=', 0)
    .where('locale', 'in', locales)
    .where('page_id', 'not in', selectHiddenIds(db, { collections }))
