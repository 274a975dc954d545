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

export interface IdPage {
  ids: number[]
  total: number
  /** Whether there are more than `total`. */
  more: boolean
}

interface Range {
  offset: number
  limit: number
}

// These limits are literals in the queries, so that the query planner knows them.

/** Up to this many filtered rows are read and sorted at once; above it the index of the sort order is read. */
const maxRowsToSort = 1_000
/** Rows that must be counted are counted up to this number. */
const countLimit = 10_000
/** As `maxRowsToSort`, for rows found by the full-text index, each of which needs a lookup of its own. */
const maxMatchesToSort = 300

/**
 * The ids of one page of the list, in order, and their total. The query depends on the selectivity of the filter and
 * the search, so that a page of very many rows takes about as long as one of few.
 */
export async function paginateIds(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const { terms, filterIsIndexed = false } = list
  const isFiltered = list.filter(columnRef).length > 0
  if (terms.length === 0 && (filterIsIndexed || !isFiltered)) return readOrderIndex(db, search, list, range)
  if ((await countRows(db, list, maxRowsToSort + 1)) <= maxRowsToSort)
    return slicePage(await filteredAndSorted(db, search, list), range)
  if (terms.length === 0) return readOrderIndex(db, search, list, range)
  if (list.initialScanRows && isFiltered) {
    const scanned = await scanFromStart(db, search, { ...list, scanLimits: [list.initialScanRows] }, range)
    if (scanned) return scanned
  }
  const rareTerms = await search.rareTerms(db, { table: list.table, column: 'search_text' }, terms)
  return searchByIndex(db, search, { ...list, rareTerms }, range)
}

async function searchByIndex(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const found = await firstMatches(db, search, list)
  const passing = found.filter(({ passes }) => passes === 1).map(({ id }) => id)
  if (found.length <= maxMatchesToSort) return slicePage(passing, range)
  const scanned = await scanFromStart(db, search, list, range)
  // The rows found by the full-text index are a lower bound of the total.
  if (scanned) return scanned.more ? { ...scanned, total: Math.max(scanned.total, passing.length - 1) } : scanned
  return (isSortedByTextIndex(search, list) ? readTextIndex : sortAllMatches)(db, search, list, range)
}

/** Every id, in order. */
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
 * The number of rows that pass the filter, regardless of the search. @param limit the limit of counting, where the
 * database maintains no count
 */
export async function countRows(
  db: Database,
  {
    table,
    countTable: counts,
    filter,
    filterIsIndexed,
  }: Pick<LongList, 'table' | 'countTable' | 'filter' | 'filterIsIndexed'>,
  limit = countLimit,
): Promise<number> {
  // The order leads SQLite to the index of the filter; it may otherwise choose one for which it has to read each row.
  const order = filterIsIndexed ? sql`order by id` : sql``
  const { rows } = await (counts
    ? sql<Counted>`select sum(counted) as total from ${sql.table(counts)} where ${allOf(filter(columnRef))}`
    : sql<Counted>`select count(*) as total from (
        select 1 from ${sql.table(table)} where ${allOf(filter(columnRef))} ${order} limit ${sql.lit(limit)}
      ) as counted`
  ).execute(db)
  return Number(rows[0]?.total ?? 0)
}
interface Counted {
  total: number | string | null
}

/** All filtered rows, sorted; by the index of the filter when there is one. */
const filteredAndSorted = (db: Database, search: SearchDialect, list: LongList): Promise<number[]> =>
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
  const { countTable: counts, filterIsIndexed } = list
  const countedUpTo = counts ? Number.POSITIVE_INFINITY : countLimit
  const count = await countRows(db, list, countLimit + 1)
  const found = { total: Math.min(count, countedUpTo), more: count > countedUpTo }
  const size = found.more ? limit : Math.max(0, Math.min(limit, count - offset))
  if (size === 0) return { ids: [], ...found }
  const fromEnd = !found.more && offset > count / 2
  const reversed = fromEnd ? { ...list, descending: !list.descending } : list
  const ids = await idsOf(
    db,
    sql`select id from ${sql.table(list.table)} where ${allOf(list.filter(filterIsIndexed ? columnRef : search.withoutIndex))}
    order by ${orderByColumns(reversed)} limit ${size} offset ${fromEnd ? count - offset - size : offset}`,
  )
  return { ids: fromEnd ? ids.reverse() : ids, ...found }
}

/** The first rows by the full-text index, whatever the filter, sorted; one more than `maxMatchesToSort` means that there are too many. */
async function firstMatches(
  db: Database,
  search: SearchDialect,
  list: LongList,
): Promise<{ id: number; passes: number }[]> {
  const { filter: _, ...unfiltered } = list
  const columns = sql.join(['id', ...list.filterColumns].map(qualifiedColumn(list)))
  // Materialized, because SQLite would otherwise sort all matches before it takes the first.
  const { rows } = await sql<{ id: number; passes: number }>`
    with found as materialized (
      select ${columns}, ${sortKeyExpression(list)} as sort_key from ${matchingRows(search, unfiltered)} limit ${sql.lit(maxMatchesToSort + 1)}
    )
    select id, case when ${allOf(list.filter(columnRef))} then 1 else 0 end as passes from found order by ${orderBySortKey(list)}`.execute(
    db,
  )
  return rows
}

/**
 * A page from the parts of the sort order that are likely to fill it: the rows ranked first, and then the first rows, which
 * contain enough matches of a frequent term. Undefined when they do not fill it.
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
  // Scanning further only pays where the full-text index gives no sorted result.
  const limits = isSortedByTextIndex(search, list) ? list.scanLimits.slice(0, 1) : list.scanLimits
  for (const scanLimit of limits) {
    const missing = wanted - prefixMatchIds.length
    const ids =
      missing > 0
        ? [...prefixMatchIds, ...(await scanFirstRows(db, search, list, { scanLimit, wanted: missing }))]
        : prefixMatchIds
    if (ids.length === wanted) return { ...slicePage(ids, range), total: wanted - 1, more: true }
    // Then the scan covered all rows.
    if (filterIsIndexed && (await countRows(db, list, scanLimit + 1)) <= scanLimit) return slicePage(ids, range)
    // All matches of a rare term are read and sorted sooner than more rows are scanned.
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

/** Both databases read the inner rows one by one, in order, and stop when there are enough. */
function scanFirstRows(
  db: Database,
  search: SearchDialect,
  list: LongList,
  { scanLimit, wanted }: { scanLimit: number; wanted: number },
): Promise<number[]> {
  const { table, prefixMatchesFirst, filterColumns: filtered, filterIsIndexed, order = sql`id` } = list
  const [inside, after] = filterIsIndexed ? [list.filter(columnRef), []] : [[], list.filter(columnRef)]
  const conditions = [
    ...after,
    ...searchConditions(search.contains, list),
    ...(prefixMatchesFirst ? [sql<SqlBool>`not ${prefixMatchesFirst}`] : []),
  ]
  return idsOf(
    db,
    sql`select id from (
      select id, sort_key from (
        select ${sql.join(['id', 'search_text', ...filtered].map(columnRef))}, ${order} as sort_key from ${sql.table(table)}
        where ${allOf(inside)} order by ${orderByColumns(list)} limit ${sql.lit(scanLimit)}
      ) as first_rows where ${allOf(conditions)} limit ${wanted}
    ) as page order by ${orderBySortKey(list)}`,
  )
}

/** Whether the full-text index returns rows by id, and that is the sort order too. */
const isSortedByTextIndex = (search: SearchDialect, list: LongList): boolean =>
  list.order === undefined && searchIndexMatches(search, list) !== undefined

/** Rows by the full-text index, in its order, until there are enough. */
async function readTextIndex(db: Database, search: SearchDialect, list: LongList, range: Range): Promise<IdPage> {
  const wanted = range.offset + range.limit + 1
  const ids = await idsOf(
    db,
    sql`select ${qualifiedColumn(list)('id')} as id from ${matchingRows(search, list)} order by search_match.id ${direction(list)} limit ${wanted}`,
  )
  return ids.length === wanted ? { ...slicePage(ids, range), total: wanted - 1, more: true } : slicePage(ids, range)
}

/** Reads and sorts all matches: for a search with many matches, few of them at the start of the order. */
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
