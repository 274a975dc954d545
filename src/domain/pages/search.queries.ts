import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { Dialect, WordMatch } from '../../platform/db/dialect/dialect.ts'
import type { PageSearchTable } from '../../platform/db/tables/pages.ts'
import { containsAllTerms } from '../../platform/db/text-search.ts'

type SearchDialect = Pick<
  Dialect,
  'searchIndexIds' | 'wordIndexIds' | 'readsNewestFirst' | 'contains' | 'containsByIndex'
>
type SearchColumn = 'search_title' | 'search_text'

/** How many of the newest texts are scanned before an index, which returns very many ids for a frequent word. */
const newestTextCount = 300

/** The size of the sample of the newest texts: the others are scanned only if enough of the sample match. */
const sampledTexts = 20

/**
 * The maximum number of candidates of SQLite's full-text index that are compared, newest first: frequent trigrams may be in
 * many texts without the word, and SQLite's calls block all other requests.
 */
const maxCandidates = 3_000

/** A published text in the search index. */
type SearchRow = Omit<PageSearchTable, 'id' | 'words_indexed'>

export async function upsertSearchRow(tx: Transaction, row: SearchRow): Promise<void> {
  await deleteReindexRequest(tx, row.page_id, row.locale)
  const { page_id: _page, locale: _locale, ...values } = { ...row, words_indexed: 1 as const }
  await tx
    .insertInto('page_search')
    .values({ ...row, words_indexed: 1 })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale']).doUpdateSet(values))
    .execute()
}

export async function deleteSearchRow(tx: Transaction, pageId: number, locale: Locale): Promise<void> {
  await deleteReindexRequest(tx, pageId, locale)
  await tx.deleteFrom('page_search').where('page_id', '=', pageId).where('locale', '=', locale).execute()
}

async function deleteReindexRequest(tx: Transaction, pageId: number, locale: Locale): Promise<void> {
  await tx.deleteFrom('page_search_mark').where('page_id', '=', pageId).where('locale', '=', locale).execute()
}

/**
 * Texts whose index row is missing, marked, of another revision or `indexFingerprint`, or no longer published. This
 * includes changes made by an older release.
 */
export async function listOutdatedTexts(
  db: Db,
  fingerprint: string,
  only?: { pageId: number },
): Promise<{ page_id: number; locale: Locale }[]> {
  const wanted = sql<SqlBool>`${only ? sql`page_id = ${only.pageId}` : sql`1 = 1`}`
  return db
    .selectFrom('page_search_mark')
    .select(['page_id', 'locale'])
    .where(wanted)
    .union(
      db
        .selectFrom('page_text')
        .select(['page_id', 'locale'])
        .where(wanted)
        .where('live_id', 'is not', null)
        .where('live_noindex', '=', 0)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('page_search')
                .select('page_search.page_id')
                .whereRef('page_search.page_id', '=', 'page_text.page_id')
                .whereRef('page_search.locale', '=', 'page_text.locale')
                .whereRef('page_search.revision_id', '=', 'page_text.live_id')
                .where('page_search.filled_with', '=', fingerprint),
            ),
          ),
        ),
    )
    .union(
      db
        .selectFrom('page_search')
        .select(['page_id', 'locale'])
        .where(wanted)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('page_text')
                .select('page_text.page_id')
                .whereRef('page_text.page_id', '=', 'page_search.page_id')
                .whereRef('page_text.locale', '=', 'page_search.locale')
                .whereRef('page_text.live_id', '=', 'page_search.revision_id')
                .where('page_text.live_noindex', '=', 0),
            ),
          ),
        ),
    )
    .orderBy('page_id')
    .execute()
}

export async function findLiveRevision(
  tx: Transaction,
  pageId: number,
  locale: Locale,
): Promise<{ liveId: number | null; collection: string | null } | undefined> {
  return tx
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select(['live_id as liveId', 'collection'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .executeTakeFirst()
}

/** A search in titles or in texts. One in texts leaves out pages whose title contains all terms. */
interface SearchQuery {
  column: SearchColumn
  /** Whether to use the index of words, which only texts have. */
  byWords?: boolean
  locale: Locale
  /** A leading space means the start of a word. */
  terms: readonly string[]
}

/**
 * The ids of the newest rows that contain all terms, the best first: a term in the title counts for more than one in
 * the text, and a whole word for more than the beginning or another part of one.
 */
export async function findMatches(
  db: Db,
  dialect: SearchDialect,
  search: SearchQuery,
  limit: number,
): Promise<number[]> {
  if (search.byWords) return findWordMatches(db, dialect, search, limit)
  const indexed = dialect.searchIndexIds({ table: 'page_search', column: search.column }, search.terms)
  // A cross join makes SQLite begin with the ids of the full-text index, in their order. The limit is inlined, so that the
  // planner knows it.
  if (indexed) {
    const candidates = sql`(select id from ${indexed} as candidate order by id desc limit ${sql.lit(maxCandidates)})`
    const from = sql`${candidates} as search_match cross join page_search`
    return selectMatches(db, dialect, search, { from, id: sql`search_match.id` }, limit)
  }
  // For a frequent word PostgreSQL's index would return all matches, while the newest texts contain enough.
  const newest = await findNewestMatches(db, dialect, search, limit)
  const all = { from: sql`page_search`, id: sql`page_search.id` }
  return newest.length === limit ? newest : selectMatches(db, dialect, search, all, limit)
}

/** Whether the index of words has every text of a language. Texts that an older release wrote are added by a job. */
export async function areWordsIndexed(db: Db, locale: Locale): Promise<boolean> {
  const missing = await db
    .selectFrom('page_search')
    .select('id')
    .where('words_indexed', '=', sql.lit(0))
    .where('locale', '=', locale)
    .limit(1)
    .executeTakeFirst()
  return missing === undefined
}

/** A term with at most this many characters may be in thousands of words, whose lists would all be read. */
const shortTermChars = 5

/** Whole words come before starts of words, and these before other parts; in each the newest texts. */
async function findWordMatches(db: Db, dialect: SearchDialect, search: SearchQuery, limit: number): Promise<number[]> {
  const findNewest = () => findNewestMatches(db, dialect, search, limit)
  const byWords = (match: WordMatch) => () => findByWords(db, dialect, search, match)
  const isShort = search.terms.some((term) => [...term.trimStart()].length <= shortTermChars)
  if (!dialect.readsNewestFirst) {
    const newest = await findNewestMatches(db, dialect, search, limit, isFrequent(dialect, search, limit))
    if (newest.length === limit) return newest
  }
  const found = new Set<number>()
  const steps = [
    byWords('whole'),
    ...(dialect.readsNewestFirst && isShort ? [findNewest] : []),
    byWords('start'),
    // A term with a leading space matches only the start of a word, so nothing new would be found.
    ...(search.terms.some((term) => !term.startsWith(' ')) ? [byWords('part')] : []),
  ]
  for (const step of steps) {
    for (const id of await step()) found.add(id)
    if (found.size >= limit) break
  }
  return [...found].slice(0, limit)
}

/** The ids of the newest rows by the index of words; those with more terms in the title first. */
async function findByWords(db: Db, dialect: SearchDialect, search: SearchQuery, match: WordMatch): Promise<number[]> {
  const { column, locale, terms } = search
  // Enough ids remain without those that were found by their title.
  const maxIds = limits.siteSearchResults + 1
  const ids = dialect.wordIndexIds({ table: 'page_search', column }, { locale, terms, match }, maxIds)
  const inTitle = terms.map((term) => sql`case when ${dialect.contains('search_title', term)} then 1 else 0 end`)
  const { rows } = await sql<{ id: number }>`
    select page_search.id from ${ids} as search_match cross join page_search
    where page_search.id = search_match.id and not (${containsAllTerms(dialect.contains, 'search_title', terms)})
    order by ${sql.join(inTitle, sql` + `)} desc, page_search.id desc`.execute(db)
  return rows.map(({ id }) => id)
}

/** The matches among the newest texts, by comparing each. @param when if this condition is false, none is compared */
async function findNewestMatches(
  db: Db,
  dialect: SearchDialect,
  search: SearchQuery,
  limit: number,
  when?: RawBuilder<SqlBool>,
): Promise<number[]> {
  const from = sql`${newestOf(search.locale, newestTextCount)} as page_search`
  const id = sql`page_search.id`
  return selectMatches(db, { ...dialect, containsByIndex: dialect.contains }, search, { from, id, when }, limit)
}

/** The newest rows of a language. The count is inlined, so that the query planner knows it; it is never user input. */
const newestOf = (locale: Locale, count: number): RawBuilder<unknown> =>
  sql`(select id, locale, search_title, search_text from page_search where locale = ${locale}
    order by id desc limit ${sql.lit(count)})`

/** Whether the sample has at least half of its share of the required matches. */
function isFrequent(
  { contains }: SearchDialect,
  { column, locale, terms }: SearchQuery,
  limit: number,
): RawBuilder<SqlBool> {
  const minMatches = Math.max(1, Math.floor((limit * sampledTexts) / newestTextCount / 2))
  return sql`(select count(*) from ${newestOf(locale, sampledTexts)} as sample
    where ${containsAllTerms(contains, column, terms)}) >= ${sql.lit(minMatches)}`
}

/** The ids of the matches in a source, the best first. @param source.id the column of the row id in the source */
async function selectMatches(
  db: Db,
  dialect: SearchDialect,
  { column, locale, terms }: SearchQuery,
  { from, id, when }: { from: RawBuilder<unknown>; id: RawBuilder<unknown>; when?: RawBuilder<SqlBool> | undefined },
  limit: number,
): Promise<number[]> {
  const conditions = [
    ...(when ? [when] : []),
    containsAllTerms(dialect.containsByIndex, column, terms),
    ...(column === 'search_text'
      ? [sql<SqlBool>`not (${containsAllTerms(dialect.contains, 'search_title', terms)})`]
      : []),
    sql<SqlBool>`locale = ${locale}`,
    sql<SqlBool>`page_search.id = ${id}`,
  ]
  // PostgreSQL reads a long text once for `search_text || ''`, and not again for each comparison. A title that contains all
  // terms needs no text.
  const text = column === 'search_title' ? sql`''` : sql`search_text || ''`
  const { rows } = await sql<{ id: number }>`
    with found as materialized (
      select page_search.id from ${from} where ${sql.join(conditions, sql` and `)} order by ${id} desc limit ${sql.lit(limit)}
    ),
    texts as materialized (
      select found.id, search_title, ${text} as search_text from found inner join page_search on page_search.id = found.id
    )
    select id, ${scoreOf(dialect, terms)} as score from texts order by score desc, id desc`.execute(db)
  return rows.map(({ id }) => id)
}

/** The sum over all terms of a score for the best way in which the term matches. */
function scoreOf({ contains }: SearchDialect, terms: readonly string[]): RawBuilder<number> {
  const scores = terms.map((term) => {
    const start = `  ${term.trimStart()}`
    const word = `${start}  `
    const { title, text } = { title: 'search_title', text: 'search_text' }
    return sql<number>`case when ${contains(title, word)} then 8 when ${contains(title, start)} then 7
      when ${contains(title, term)} then 6 when ${contains(text, word)} then 2 when ${contains(text, start)} then 1 else 0 end`
  })
  return sql.join(scores, sql` + `)
}

/** The details of search results, in the order of `ids`, without texts that are now unpublished or `noindex`. */
export async function listFoundTexts(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('page_search')
    .innerJoin('page_text', (join) =>
      join
        .onRef('page_text.page_id', '=', 'page_search.page_id')
        .onRef('page_text.locale', '=', 'page_search.locale')
        .onRef('page_text.live_id', '=', 'page_search.revision_id'),
    )
    .innerJoin('page', 'page.id', 'page_search.page_id')
    .leftJoin('page_search_mark', (join) =>
      join
        .onRef('page_search_mark.page_id', '=', 'page_search.page_id')
        .onRef('page_search_mark.locale', '=', 'page_search.locale'),
    )
    .select(['page_search.id', 'page_search.title', 'page_search.text'])
    .select(['page_search.search_text', 'page_search.filled_with'])
    .select(['page_text.live_slug', 'page_text.live_id', 'page_search_mark.page_id as marked', 'page.collection'])
    .where('page_search.id', 'in', ids)
    .where('page_text.live_noindex', '=', 0)
    .execute()
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => rowById.get(id) ?? [])
}
