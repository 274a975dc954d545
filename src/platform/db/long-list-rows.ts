import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Dialect } from './dialect/dialect.ts'
import { containsAll } from './text-search.ts'

/** A list that may be very long: which of a table's rows, and in which order. */
export interface LongList {
  table: 'file' | 'message' | 'page' | 'user'
  /** Of `searchParts`; looked for in the column `search_text`. */
  parts: readonly string[]
  /** What is filtered by; `column` writes a column as the place wants it. */
  filter: (column: Column) => RawBuilder<SqlBool>[]
  /** The columns that a filter can look at, beside the number. */
  filtered: readonly string[]
  /** Whether the filter has indexes of its own that are in the order; else the index of each order holds what is filtered by. */
  filterInOrder?: boolean
  /** What an index begins with; left out, the number of the row, which decides between equals too. */
  order?: RawBuilder<unknown>
  descending: boolean
  /** A stretch that stands in front of what ascends; it is for lists that do. */
  front?: RawBuilder<SqlBool> | undefined
  /** Where the database keeps how many rows there are of each kind that the filter tells apart; left out, they are counted. */
  kept?: 'file_count' | 'page_count' | 'user_count' | undefined
  /** So many rows of the order cost so little that with a filter they are tried before the index of texts, which knows of none. */
  tried?: number | undefined
  /** So many rows of the order are read in the hope to fill a page from them, and then so many. */
  walked: readonly number[]
}
export type Column = (name: string) => RawBuilder<unknown>

export type Search = Pick<Dialect, 'narrow' | 'contains' | 'containsByIndex'>

/** What a search finds, by the index of texts: what stands after `from`, with its condition. */
export function matches(
  search: Search,
  list: Pick<LongList, 'table' | 'parts'> & { filter?: LongList['filter'] },
): RawBuilder<unknown> {
  const conditions = [...(list.filter?.(own(list)) ?? []), ...searched(search.containsByIndex, list)]
  const narrowed = narrowOf(search, list)
  // A cross join, so that SQLite begins with what was found, in its order, and looks up each.
  return narrowed
    ? sql`${narrowed} as narrowed cross join ${sql.table(list.table)}
      where ${every([sql<SqlBool>`${own(list)('id')} = narrowed.id`, ...conditions])}`
    : sql`${sql.table(list.table)} where ${every(conditions)}`
}

/** The ids that a search may find, in their order; undefined without one, and where the database finds its index by itself. */
export const narrowOf = (search: Search, { table, parts }: Pick<LongList, 'table' | 'parts'>) =>
  parts.length > 0 ? search.narrow({ table, column: 'search_text' }, parts) : undefined

export const searched = (contains: Search['contains'], { parts }: Pick<LongList, 'parts'>): RawBuilder<SqlBool>[] =>
  parts.length > 0 ? [containsAll(contains, 'search_text', parts)] : []

export const every = (list: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  list.length > 0 ? sql.join(list, sql` and `) : sql<SqlBool>`1 = 1`

export const plain: Column = (name) => sql.ref(name)
export const own =
  ({ table }: Pick<LongList, 'table'>): Column =>
  (name) =>
    sql.ref(`${table}.${name}`)
/** With a plus before it a column's own index is left alone, and the order's is read. */
export const walking: Column = (name) => sql`+${sql.ref(name)}`

export const direction = ({ descending }: LongList) => (descending ? sql`desc` : sql`asc`)
export const orderOf = (list: LongList) => {
  const id = sql`${own(list)('id')} ${direction(list)}`
  return list.order ? sql`${list.order} ${direction(list)}, ${id}` : id
}
/** What found rows are put in order by: after 0 or 1 where a stretch stands in front. */
export const keyOf = (list: LongList) => {
  const order = list.order ?? own(list)('id')
  return list.front ? sql`case when ${list.front} then '0' else '1' end || ${order}` : order
}
export const byKey = (list: LongList) => sql`ordered ${direction(list)}, id ${direction(list)}`

export async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}
