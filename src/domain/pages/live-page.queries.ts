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
  /** The id of the collection that it is an entry of. */
  collection: string | null
  /** Date of the text. */
  date: string
  /** Shared between requests, so it must not be changed. */
  text: PageText
  /** The live slugs of the page, by language. */
  liveSlugs: LiveSlug[]
}

/** The live slug of a page. */
export interface LiveSlug {
  pageId: number
  locale: Locale
  slug: string
}

/** The live page at a slug: one lookup in the index of live slugs. */
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
    liveSlugs: rows.map((one) => ({ pageId: row.page_id, locale: one.locale, slug: one.live_slug ?? '' })),
  }
}

/** The live page at a slug, unless the site lacks the collection of an entry. */
export async function findShownRow(
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
    .innerJoin('page_text as every', (join) =>
      join.onRef('every.page_id', '=', 'page_text.page_id').on('every.live_slug', 'is not', null),
    )
    .select(['page_text.page_id', 'page_text.live_id', 'page_text.live_date', 'every.locale', 'every.live_slug'])
    .select('page.collection')
    .where('page_text.locale', '=', locale)
    .where('page_text.live_slug', '=', slug),
)

/** The size of the cache of texts, in characters of JSON. */
const cachedChars = 2_000_000
const textsByDatabase = new WeakMap<Db, LRUCache<number, PageText>>()

/** A revision's text never changes, so it is parsed once. */
export async function findRevisionText(db: Db, id: number): Promise<PageText | undefined> {
  const texts = textsByDatabase.get(db) ?? new LRUCache<number, PageText>({ maxSize: cachedChars })
  // A transaction may be rolled back, and then another revision gets this id.
  if (!db.isTransaction) textsByDatabase.set(db, texts)
  const known = texts.get(id)
  if (known) return known
  const [row] = await selectRevisionText(db, { id })
  if (!row) return undefined
  const text: PageText = JSON.parse(row.text)
  texts.set(id, text, { size: row.text.length })
  return text
}

/** The live titles of these pages, by text: the saved title, unless a later text was saved. */
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

/** Yields the live texts of a language whose stored JSON has at least `chars` characters. */
export async function* findLiveTextsFrom(db: Db, locale: Locale, chars: number): AsyncGenerator<PageText> {
  for (let after = 0; ; ) {
    const row = await db
      .selectFrom('page_text')
      .innerJoin('page_revision', 'page_revision.id', 'page_text.live_id')
      .select(['page_text.page_id', 'page_revision.text'])
      .where('page_text.locale', '=', locale)
      .where('page_text.page_id', '>', after)
      .where(sql`length(page_revision.text)`, '>=', chars)
      .orderBy('page_text.page_id')
      .limit(1)
      .executeTakeFirst()
    if (!row) return
    after = row.page_id
    yield JSON.parse(row.text)
  }
}

/** The live slugs at these paths in two languages, with the slug of the same page in the first. */
export async function listLiveSlugsAt(
  db: Db,
  slugs: readonly string[],
  { locale, fallback }: { locale: Locale; fallback: Locale },
): Promise<{ pageId: number; slug: string; locale: Locale; own: string | null }[]> {
  if (slugs.length === 0) return []
  return db
    .selectFrom('page_text')
    .leftJoin('page_text as own', (join) =>
      join.onRef('own.page_id', '=', 'page_text.page_id').on('own.locale', '=', locale),
    )
    .select(['page_text.page_id as pageId', 'page_text.live_slug', 'page_text.locale', 'own.live_slug as own'])
    .where('page_text.locale', 'in', [locale, fallback])
    .where('page_text.live_slug', 'in', slugs)
    .execute()
    .then((rows) => rows.map(({ live_slug, ...row }) => ({ ...row, slug: live_slug ?? '' })))
}

/** The live slugs of one page, by language. */
export async function listLiveSlugs(db: Db, pageId: number): Promise<LiveSlug[]> {
  const rows = await db
    .selectFrom('page_text')
    .select(['page_id', 'locale', 'live_slug'])
    .where('page_id', '=', pageId)
    .where('live_slug', 'is not', null)
    .execute()
  return rows.map((row) => ({ pageId: row.page_id, locale: row.locale, slug: row.live_slug ?? '' }))
}

/** The number of pages in the sitemap. */
export const countSitemapRows = (db: Db, site: ListedSite): Promise<number> => countResults(listed(db, site))

export async function listSitemapRows(db: Db, site: ListedSite, part: { offset: number; limit: number }) {
  const rows = await listed(db, site)
    .select(['page_id', 'locale', 'live_slug', 'live_date'])
    .orderBy('page_id')
    .orderBy(sql`case locale when 'nl' then '' else locale end`)
    .offset(part.offset)
    .limit(part.limit)
    .execute()
  return rows.map((row) => ({
    pageId: row.page_id,
    locale: row.locale,
    slug: row.live_slug ?? '',
    date: row.live_date ?? '',
  }))
}

type ListedSite = Pick<SiteConfig, 'locales' | 'collections'>

const listed = (db: Db, { locales, collections }: ListedSite) =>
  db
    .selectFrom('page_text')
    .where('live_slug', 'is not', null)
    .where('live_noindex', '=', 0)
    .where('locale', 'in', locales)
    .where('page_id', 'not in', selectHiddenIds(db, { collections }))
