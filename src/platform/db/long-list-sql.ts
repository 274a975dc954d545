import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Dialect } from './dialect/dialect.ts'
import { containsAllTerms } from './text-search.ts'

/** A paginated list of a large table. */
export interface LongList {
  table: 'file' | 'message' | 'page' | 'user'
  /** The result of `searchTerms`; the column `search_text` must contain all of them. */
  terms: readonly string[]
  /** The terms that are looked up in the full-text index, from `Dialect.rareTerms`; without it, all terms. */
  rareTerms?: readonly string[]
  /** The conditions of the filter; `column` renders a column reference for the query that they are used in. */
  filter: (column: RenderColumn) => RawBuilder<SqlBool>[]
  /** The columns that the filter uses, apart from the id. */
  filterColumns: readonly string[]
  /** Whether the filter has indexes in the order of the list; else the index of each order has the filter columns. */
  filterIsIndexed?: boolean
  /** The sort expression; without it, the list is sorted by id, which is also the tiebreaker. */
  order?: RawBuilder<unknown>
  descending: boolean
  /** The condition for rows that begin with the search text, which come first in an ascending list. */
  prefixMatchesFirst?: RawBuilder<SqlBool> | undefined
  /**
   * The table in which the database maintains row counts for each combination of filter values; without it, rows are
   * counted.
   */
  countTable?: 'file_count' | 'page_count' | 'user_count' | undefined
  /** Scanning this many rows in sort order is cheaper than the full-text index, so a filtered search tries it first. */
  initialScanRows?: number | undefined
  /** Scanning in sort order stops after the first of these numbers of rows; if those yield no full page, after the next. */
  scanLimits: readonly number[]
}
export type RenderColumn = (name: string) => RawBuilder<unknown>

export type SearchDialect = Pick<
  Dialect,
  'searchIndexIds' | 'rareTerms' | 'withoutIndex' | 'contains' | 'containsByIndex'
>

/** The SQL after `from` for the rows that match the filter and the search, by the full-text index. */
export function matchingRows(
  search: SearchDialect,
  list: Pick<LongList, 'table' | 'terms' | 'rareTerms'> & { filter?: LongList['filter'] },
): RawBuilder<unknown> {
  const { terms, rareTerms = terms } = list
  const conditions = [
    ...(list.filter?.(qualifiedColumn(list)) ?? []),
    ...searchConditions(search.containsByIndex, { terms: terms.filter((term) => rareTerms.includes(term)) }),
    ...searchConditions(search.contains, { terms: terms.filter((term) => !rareTerms.includes(term)) }),
  ]
  const searchMatches = searchIndexMatches(search, list)
  // A cross join makes SQLite begin with the found ids, in their order, and look up each row.
  return searchMatches
    ? sql`${searchMatches} as search_match cross join ${sql.table(list.table)}
      where ${allOf([sql<SqlBool>`${qualifiedColumn(list)('id')} = search_match.id`, ...conditions])}`
    : sql`${sql.table(list.table)} where ${allOf(conditions)}`
}

/**
 * A table of the ids that may match the search, in order; undefined as `Dialect.searchIndexIds`, and without a search.
 */
export const searchIndexMatches = (
  search: SearchDialect,
  { table, terms, rareTerms = terms }: Pick<LongList, 'table' | 'terms' | 'rareTerms'>,
) => (terms.length > 0 ? search.searchIndexIds({ table, column: 'search_text' }, rareTerms) : undefined)

export const searchConditions = (
  contains: SearchDialect['contains'],
  { terms }: Pick<LongList, 'terms'>,
): RawBuilder<SqlBool>[] => (terms.length > 0 ? [containsAllTerms(contains, 'search_text', terms)] : [])

/** The conjunction of conditions; true without any. */
export const allOf = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql<SqlBool>`1 = 1`

export const columnRef: RenderColumn = (name) => sql.ref(name)
export const qualifiedColumn =
  ({ table }: Pick<LongList, 'table'>): RenderColumn =>
  (name) =>
    sql.ref(`${table}.${name}`)

export const direction = ({ descending }: LongList) => (descending ? sql`desc` : sql`asc`)
export const orderByColumns = (list: LongList) => {
  const id = sql`${qualifiedColumn(list)('id')} ${direction(list)}`
  return list.order ? sql`${list.order} ${direction(list)}, ${id}` : id
}
/** The sort key of a row; with `prefixMatchesFirst`, preceded by 0 or 1. */
export const sortKeyExpression = (list: LongList) => {
  const order = list.order ?? qualifiedColumn(list)('id')
  return list.prefixMatchesFirst ? sql`case when ${list.prefixMatchesFirst} then '0' else '1' end || ${order}` : order
}
export const orderBySortKey = (list: LongList) => sql`sort_key ${direction(list)}, id ${direction(list)}`

export async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}
