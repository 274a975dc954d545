import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import {
  allOf,
  columnRef,
  direction,
  idsOf,
  type LongList,
  matchingRows,
  orderByColumns,
  orderBySortKey,
  qualifiedColumn,
  type SearchDialect,
  searchConditions,
  searchIndexMatches,
  sortKeyExpression,
} from './long-list-sql.ts'

interface IdPage {
  ids: number[]
  total: number
  /** Whether there are more rows than `total`. */
  more: boolean
}

interface Range {
  offset: number
  limit: number
}

// These limits are literals in the queries, so that the query planner knows them.

/** Up to this many filtered rows are read and sorted at once; above it, the index of the sort order is read. */
const maxRowsToSort = 1_000
/** Without a count table, rows are counted up to this number. */
const countLimit = 10_000
/** As `maxRowsToSort`, for rows found by the full-text index, each of which must be looked up separately. */
const maxMatchesToSort = 300

/**
 * The ids of one page of the list, in order, and the total. How many rows the filter and the search leave decides which
 * query is used, so that a page of a very long list takes about as long as a page of a short one. The first that applies:
 *
 * - no search and no filter, or a filter with an index: `readOrderIndex`
 * - few rows pass the filter: `sortFilteredRows`
 * - no search: `readOrderIndex`
 * - the first rows of the sort order fill the page, in a filtered list with `initialScanRows`: `scanFromStart`
 * - the full-text index has few matches: these, sorted
 * - the first rows of the sort order fill the page: `scanFromStart`
 * - the full-text index has the order of the list: `readTextIndex`
 * - anything else: `sortAllMatches`
 */
export async function paginateIds(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const { terms, filterIsIndexed = false } = list
  const isFiltered = list.filter(columnRef).length > 0
  if (terms.length === 0 && (filterIsIndexed || !isFiltered)) return readOrderIndex(db, search, list, range)
  if ((await countRows(db, list, maxRowsToSort + 1)) <= maxRowsToSort)
    return slicePage(await sortFilteredRows(db, search, list), range)
  if (terms.length === 0) return readOrderIndex(db, search, list, range)
  if (list.initialScanRows && isFiltered) {
    const scanned = await scanFromStart(db, search, { ...list, scanLimits: [list.initialScanRows] }, range)
    if (scanned) return scanned
  }
  const rareTerms = await search.rareTerms(db, { table: list.table, column: 'search_text' }, terms)
  return searchByIndex(db, search, { ...list, rareTerms }, range)
}

async function searchByIndex(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const matches = await findSomeMatches(db, search, list)
  const filteredIds = matches.filter(({ passesFilter }) => passesFilter === 1).map(({ id }) => id)
  if (matches.length <= maxMatchesToSort) return slicePage(filteredIds, range)
  const scanned = await scanFromStart(db, search, list, range)
  // The rows found by the full-text index are a lower bound of the total; `more` counts one more row than `total`.
  if (scanned?.more) return { ...scanned, total: Math.max(scanned.total, filteredIds.length - 1) }
  if (scanned) return scanned
  const readPage = isSortedByTextIndex(search, list) ? readTextIndex : sortAllMatches
  return readPage(db, search, list, range)
}

/** All ids of the list, in order. */
export const listAllIds = (db: Database, search: SearchDialect, list: LongList): Promise<number[]> =>
  idsOf(
    db,
    sql`select ${qualifiedColumn(list)('id')} as id, ${sortKeyExpression(list)} as sort_key from ${matchingRows(search, list)} order by ${orderBySortKey(list)}`,
  )

const slicePage = (ids: number[], { offset, limit }: Range): IdPage => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
  more: false,
})

/**
 * The number of rows that pass the filter, regardless of the search.
 * @param limit rows are counted up to this number, unless there is a count table
 */
export async function countRows(
  db: Database,
  { table, countTable, filter, filterIsIndexed }: Pick<LongList, 'table' | 'countTable' | 'filter' | 'filterIsIndexed'>,
  limit = countLimit,
): Promise<number> {
  // The order makes SQLite use the index of the filter, instead of one for which it must read each row.
  const order = filterIsIndexed ? sql`order by id` : sql``
  const { rows } = await (countTable
    ? sql<Counted>`select sum(counted) as total from ${sql.table(countTable)} where ${allOf(filter(columnRef))}`
    : sql<Counted>`select count(*) as total from (
        select 1 from ${sql.table(table)} where ${allOf(filter(columnRef))} ${order} limit ${sql.lit(limit)}
      ) as counted`
  ).execute(db)
  return Number(rows[0]?.total ?? 0)
}
interface Counted {
  total: number | string | null
}

/** Reads and sorts all filtered rows; by the index of the filter if there is one. */
const sortFilteredRows = (db: Database, search: SearchDialect, list: LongList): Promise<number[]> =>
  idsOf(
    db,
    sql`select id, ${sortKeyExpression(list)} as sort_key from ${sql.table(list.table)}
    where ${allOf([...list.filter(columnRef), ...searchConditions(search.contains, list)])} order by ${orderBySortKey(list)}`,
  )

/** Reads the index of the sort order, from the nearer end, until the page is full. */
async function readOrderIndex(
  db: Database,
  search: SearchDialect,
  list: LongList,
  { offset, limit }: Range,
): Promise<IdPage> {
  const { countTable, filterIsIndexed } = list
  const maxTotal = countTable ? Number.POSITIVE_INFINITY : countLimit
  const count = await countRows(db, list, countLimit + 1)
  const counted = { total: Math.min(count, maxTotal), more: count > maxTotal }
  const size = counted.more ? limit : Math.max(0, Math.min(limit, count - offset))
  if (size === 0) return { ids: [], ...counted }
  const fromEnd = !counted.more && offset > count / 2
  const reversed = fromEnd ? { ...list, descending: !list.descending } : list
  const ids = await idsOf(
    db,
    sql`select id from ${sql.table(list.table)} where ${allOf(list.filter(filterIsIndexed ? columnRef : search.withoutIndex))}
    order by ${orderByColumns(reversed)} limit ${size} offset ${fromEnd ? count - offset - size : offset}`,
  )
  return { ids: fromEnd ? ids.reverse() : ids, ...counted }
}

/** Up to `maxMatchesToSort + 1` rows of the full-text index, regardless of the filter, sorted. */
async function findSomeMatches(
  db: Database,
  search: SearchDialect,
  list: LongList,
): Promise<{ id: number; passesFilter: number }[]> {
  const { filter: _, ...unfiltered } = list
  const columns = sql.join(['id', ...list.filterColumns].map(qualifiedColumn(list)))
  // Materialized: SQLite would otherwise sort all matches before it applies the limit.
  const { rows } = await sql<{ id: number; passesFilter: number }>`
    with found as materialized (
      select ${columns}, ${sortKeyExpression(list)} as sort_key from ${matchingRows(search, unfiltered)} limit ${sql.lit(maxMatchesToSort + 1)}
    )
    select id, case when ${allOf(list.filter(columnRef))} then 1 else 0 end as "passesFilter" from found order by ${orderBySortKey(list)}`.execute(
    db,
  )
  return rows
}

/**
 * Reads a page from the start of the sort order, where a frequent term has enough matches: first the rows of
 * `prefixMatchesFirst`, then the others. Undefined when these rows do not fill the page.
 */
async function scanFromStart(
  db: Database,
  search: SearchDialect,
  list: LongList,
  range: Range,
): Promise<IdPage | undefined> {
  const { prefixMatchesFirst, filterIsIndexed = false } = list
  const wanted = range.offset + range.limit + 1
  const prefixMatchIds = prefixMatchesFirst
    ? await scanPrefixMatches(db, search, { ...list, prefixMatchesFirst }, wanted)
    : []
  // Scanning further is only worthwhile if the full-text index returns no sorted result.
  const limits = isSortedByTextIndex(search, list) ? list.scanLimits.slice(0, 1) : list.scanLimits
  for (const scanLimit of limits) {
    const missing = wanted - prefixMatchIds.length
    const ids =
      missing > 0
        ? [...prefixMatchIds, ...(await scanFirstRows(db, search, list, { scanLimit, wanted: missing }))]
        : prefixMatchIds
    if (ids.length === wanted) return { ...slicePage(ids, range), total: wanted - 1, more: true }
    // The scan covered all rows.
    if (filterIsIndexed && (await countRows(db, list, scanLimit + 1)) <= scanLimit) return slicePage(ids, range)
    // The term is rare: reading and sorting all its matches is faster than scanning more rows.
    if (ids.length * 10 < wanted) return undefined
  }
  return undefined
}

const scanPrefixMatches = (
  db: Database,
  search: SearchDialect,
  list: LongList & { prefixMatchesFirst: RawBuilder<SqlBool> },
  wanted: number,
): Promise<number[]> =>
  idsOf(
    db,
    sql`select id from ${sql.table(list.table)}
    where ${allOf([list.prefixMatchesFirst, ...list.filter(search.withoutIndex), ...searchConditions(search.contains, list)])}
    order by ${orderByColumns(list)} limit ${wanted}`,
  )

/** Scans up to `scanLimit` rows in order. Both databases read the inner rows one by one, up to `wanted` matches. */
function scanFirstRows(
  db: Database,
  search: SearchDialect,
  list: LongList,
  { scanLimit, wanted }: { scanLimit: number; wanted: number },
): Promise<number[]> {
  const { table, prefixMatchesFirst, filterColumns, filterIsIndexed, order = sql`id` } = list
  const filter = list.filter(columnRef)
  const conditions = [
    ...(filterIsIndexed ? [] : filter),
    ...searchConditions(search.contains, list),
    ...(prefixMatchesFirst ? [sql<SqlBool>`not ${prefixMatchesFirst}`] : []),
  ]
  return idsOf(
    db,
    sql`select id from (
      select id, sort_key from (
        select ${sql.join(['id', 'search_text', ...filterColumns].map(columnRef))}, ${order} as sort_key from ${sql.table(table)}
        where ${allOf(filterIsIndexed ? filter : [])} order by ${orderByColumns(list)} limit ${sql.lit(scanLimit)}
      ) as first_rows where ${allOf(conditions)} limit ${wanted}
    ) as page order by ${orderBySortKey(list)}`,
  )
}

/** Whether the full-text index returns rows by id, and the list is sorted by id. */
const isSortedByTextIndex = (search: SearchDialect, list: LongList): boolean =>
  list.order === undefined && searchIndexMatches(search, list) !== undefined

/** Reads rows from the full-text index, in its order, until the page is full. */
async function readTextIndex(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const wanted = range.offset + range.limit + 1
  const ids = await idsOf(
    db,
    sql`select ${qualifiedColumn(list)('id')} as id from ${matchingRows(search, list)} order by search_match.id ${direction(list)} limit ${wanted}`,
  )
  return ids.length === wanted ? { ...slicePage(ids, range), total: wanted - 1, more: true } : slicePage(ids, range)
}

/** Reads and sorts all matches: for a search with many matches, of which few are at the start of the order. */
async function sortAllMatches(
  db: Database,
  search: SearchDialect,
  list: LongList,
  { offset, limit }: Range,
): Promise<IdPage> {
  // Materialized, or PostgreSQL may scan the whole sort order instead.
  const { rows } = await sql<{ id: number | null; total: number | string }>`
    with matched as materialized (select ${qualifiedColumn(list)('id')} as id, ${sortKeyExpression(list)} as sort_key from ${matchingRows(search, list)}),
    part as (select id, sort_key from matched order by ${orderBySortKey(list)} limit ${limit} offset ${offset})
    select part.id, counted.total from (select count(*) as total from matched) as counted left join part on true
    order by ${orderBySortKey(list)}`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0]?.total ?? 0),
    more: false,
  }
}
