import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import {
  byKey,
  direction,
  every,
  idsOf,
  keyOf,
  type LongList,
  matches,
  narrowOf,
  orderOf,
  own,
  plain,
  type Search,
  searched,
  walking,
} from './long-list-rows.ts'

export interface FoundIds {
  ids: number[]
  total: number
  /** There are more than `total`. */
  more: boolean
}

interface Part {
  offset: number
  limit: number
}

// These limits are written out in the queries, so that they are known when a query is planned.

/** So many rows of a filter are read and put in order at once; above it the order is read from its index. */
const few = 1_000
/** Rows that have to be counted are counted no further. */
const countedMost = 10_000
/** As `few`, for what the index of texts finds, where each row is a step of its own. */
const fewFound = 300

/**
 * The ids of one page, in order, and how many there are. What is read depends on how much the filter and the search
 * leave, so that a page of very many rows takes about as long as one of few.
 */
export async function findPart(db: Database, search: Search, list: LongList, part: Part): Promise<FoundIds> {
  const { parts, filterInOrder = false } = list
  if (parts.length === 0 && filterInOrder) return walk(db, list, part)
  if ((await countIn(db, list, few + 1)) <= few) return partOf(await allIn(db, search, list), part)
  if (parts.length === 0) return walk(db, list, part)
  if (list.tried && list.filter(plain).length > 0) {
    const soon = await fromTheFront(db, search, { ...list, walked: [list.tried] }, part)
    if (soon) return soon
  }
  const found = await firstFound(db, search, list)
  const passing = found.filter(({ passes }) => passes === 1).map(({ id }) => id)
  if (found.length <= fewFound) return partOf(passing, part)
  const near = await fromTheFront(db, search, list, part)
  // What was found first says how many there are at least.
  if (near) return near.more ? { ...near, total: Math.max(near.total, passing.length - 1) } : near
  return (isInOrderOfTexts(search, list) ? inOrderOfTexts : gathered)(db, search, list, part)
}

/** Every id, in order. */
export const findAll = (db: Database, search: Search, list: LongList): Promise<number[]> =>
  idsOf(
    db,
    sql`select ${own(list)('id')} as id, ${keyOf(list)} as ordered from ${matches(search, list)} order by ${byKey(list)}`,
  )

const partOf = (ids: number[], { offset, limit }: Part): FoundIds => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
  more: false,
})

/** How many rows pass the filter, whatever is searched. @param most counted no further, where the database keeps no count */
export async function countIn(
  db: Database,
  { table, kept, filter }: Pick<LongList, 'table' | 'kept' | 'filter'>,
  most = countedMost,
): Promise<number> {
  const { rows } = await (kept
    ? sql<Counted>`select sum(counted) as total from ${sql.table(kept)} where ${every(filter(plain))}`
    : sql<Counted>`select count(*) as total from (
        select 1 from ${sql.table(table)} where ${every(filter(plain))} limit ${sql.lit(most)}
      ) as counted`
  ).execute(db)
  return Number(rows[0]?.total ?? 0)
}
interface Counted {
  total: number | string | null
}

/** By the index of the filter when there is one, and put in order. */
const allIn = (db: Database, search: Search, list: LongList): Promise<number[]> =>
  idsOf(
    db,
    sql`select id, ${keyOf(list)} as ordered from ${sql.table(list.table)}
    where ${every([...list.filter(plain), ...searched(search.contains, list)])} order by ${byKey(list)}`,
  )

/** The index of the order, read from the nearer end until the page is full. */
async function walk(db: Database, list: LongList, { offset, limit }: Part): Promise<FoundIds> {
  const { kept, filterInOrder } = list
  const most = kept ? Number.POSITIVE_INFINITY : countedMost
  const count = await countIn(db, list, countedMost + 1)
  const found = { total: Math.min(count, most), more: count > most }
  const size = found.more ? limit : Math.max(0, Math.min(limit, count - offset))
  if (size === 0) return { ids: [], ...found }
  const fromEnd = !found.more && offset > count / 2
  const turned = fromEnd ? { ...list, descending: !list.descending } : list
  const ids = await idsOf(
    db,
    sql`select id from ${sql.table(list.table)} where ${every(list.filter(filterInOrder ? plain : walking))}
    order by ${orderOf(turned)} limit ${size} offset ${fromEnd ? count - offset - size : offset}`,
  )
  return { ids: fromEnd ? ids.reverse() : ids, ...found }
}

/** The first that the index of texts gives, whatever the filter, in order; one more than `fewFound` says that there are too many. */
async function firstFound(db: Database, search: Search, list: LongList): Promise<{ id: number; passes: number }[]> {
  const { table, parts, filtered } = list
  const columns = sql.join(['id', ...filtered].map(own(list)))
  // Materialized, for SQLite would else put all that match in order before it takes the first.
  const { rows } = await sql<{ id: number; passes: number }>`
    with found as materialized (
      select ${columns}, ${keyOf(list)} as ordered from ${matches(search, { table, parts })} limit ${sql.lit(fewFound + 1)}
    )
    select id, case when ${every(list.filter(plain))} then 1 else 0 end as passes from found order by ${byKey(list)}`.execute(
    db,
  )
  return rows
}

/**
 * A page from the stretches of the order that are likely to fill it: the one in front, and then the first rows, in which
 * what is found all over the list is found too. Undefined when they do not fill it.
 */
async function fromTheFront(db: Database, search: Search, list: LongList, part: Part): Promise<FoundIds | undefined> {
  const { front, filterInOrder = false } = list
  const wanted = part.offset + part.limit + 1
  const ahead = front ? await inFront(db, search, { ...list, front }, wanted) : []
  // Further only where the index of texts gives nothing in order.
  const walked = isInOrderOfTexts(search, list) ? list.walked.slice(0, 1) : list.walked
  for (const most of walked) {
    const lacking = wanted - ahead.length
    const ids = lacking > 0 ? [...ahead, ...(await amongTheFirst(db, search, list, { most, wanted: lacking }))] : ahead
    if (ids.length === wanted) return { ...partOf(ids, part), total: wanted - 1, more: true }
    // Then the stretch was all that there is.
    if (filterInOrder && (await countIn(db, list, most + 1)) <= most) return partOf(ids, part)
  }
  return undefined
}

const inFront = (
  db: Database,
  search: Search,
  list: LongList & { front: RawBuilder<SqlBool> },
  wanted: number,
): Promise<number[]> =>
  idsOf(
    db,
    sql`select id from ${sql.table(list.table)}
    where ${every([list.front, ...list.filter(walking), ...searched(search.contains, list)])}
    order by ${orderOf(list)} limit ${wanted}`,
  )

/** Both databases read the inner rows one by one, in their order, and stop when there are enough. */
function amongTheFirst(
  db: Database,
  search: Search,
  list: LongList,
  { most, wanted }: { most: number; wanted: number },
): Promise<number[]> {
  const { table, front, filtered, filterInOrder, order = sql`id` } = list
  const [inside, after] = filterInOrder ? [list.filter(plain), []] : [[], list.filter(plain)]
  const conditions = [...after, ...searched(search.contains, list), ...(front ? [sql<SqlBool>`not ${front}`] : [])]
  return idsOf(
    db,
    sql`select id from (
      select id, ordered from (
        select ${sql.join(['id', 'search_text', ...filtered].map(plain))}, ${order} as ordered from ${sql.table(table)}
        where ${every(inside)} order by ${orderOf(list)} limit ${sql.lit(most)}
      ) as first_rows where ${every(conditions)} limit ${wanted}
    ) as page order by ${byKey(list)}`,
  )
}

/** Whether the index of texts gives what it finds by the number of the row, and that is the order too. */
const isInOrderOfTexts = (search: Search, list: LongList): boolean =>
  list.order === undefined && narrowOf(search, list) !== undefined

/** What the index of texts finds, in its order, until there are enough. */
async function inOrderOfTexts(db: Database, search: Search, list: LongList, part: Part): Promise<FoundIds> {
  const wanted = part.offset + part.limit + 1
  const ids = await idsOf(
    db,
    sql`select ${own(list)('id')} as id from ${matches(search, list)} order by narrowed.id ${direction(list)} limit ${wanted}`,
  )
  return ids.length === wanted ? { ...partOf(ids, part), total: wanted - 1, more: true } : partOf(ids, part)
}

/** All that match are read and put in order: for a search that finds much, but not where the order begins. */
async function gathered(db: Database, search: Search, list: LongList, { offset, limit }: Part): Promise<FoundIds> {
  // Materialized, or PostgreSQL may read the whole order in place of it.
  const { rows } = await sql<{ id: number | null; total: number | string }>`
    with matched as materialized (select ${own(list)('id')} as id, ${keyOf(list)} as ordered from ${matches(search, list)}),
    part as (select id, ordered from matched order by ${byKey(list)} limit ${limit} offset ${offset})
    select part.id, counted.total from (select count(*) as total from matched) as counted left join part on true
    order by ${byKey(list)}`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0]?.total ?? 0),
    more: false,
  }
}
