import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import {
  beginning,
  byKey,
  every,
  filtered,
  keyOf,
  matches,
  namedRoles,
  orderOf,
  orders,
  type Search,
  searched,
  type WhichUsers,
  walking,
} from './which-users.queries.ts'

export interface FoundIds {
  ids: number[]
  total: number
  /** There are more than `total`. */
  more: boolean
}

type Page = { offset: number; limit: number }

/** So many rows of a filter are read and put in order at once; above it the order is read from its index. */
const few = 1_000
/** The same for what the index of texts finds, where each row is a step of its own. */
const fewFound = 300
/** Rows of an order that are read in the hope to fill the page from them. The index of names holds what is searched, too. */
const walked = { match: 10_000, name: 10_000, email: 1_500, createdAt: 1_500, lastSignedInAt: 1_500 } as const

/**
 * The ids of one page, in order, and how many there are in all. What it reads depends on how much the filters and the
 * search leave, so that a page of very many users takes about as long as one of few.
 */
export async function findPage(db: Database, search: Search, which: WhichUsers, page: Page): Promise<FoundIds> {
  const inFilter = await countFiltered(db, which)
  if (inFilter <= few) return pageOf(await allIn(db, search, which), page)
  if (which.parts.length === 0) return { ids: await walk(db, which, page, inFilter), total: inFilter, more: false }
  const found = await firstFound(db, search, which)
  if (found.length <= fewFound)
    return pageOf(
      found.filter((row) => passes(which, row)).map(({ id }) => id),
      page,
    )
  return (await foundInOrder(db, search, which, page)) ?? gathered(db, search, which, page)
}

const pageOf = (ids: number[], { offset, limit }: Page): FoundIds => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
  more: false,
})

/** Every id, in order. */
export const findAllIds = allFound

/** Kept by the database, so nothing is counted. */
async function countFiltered(db: Database, which: WhichUsers): Promise<number> {
  const roleIds = namedRoles(which)
  const row = await db
    .selectFrom('user_count')
    .$if(roleIds !== undefined, (query) => query.where('role_id', 'in', roleIds as number[]))
    .$if(which.blocked !== undefined, (query) => query.where('blocked', '=', which.blocked ? 1 : 0))
    .select((eb) => eb.fn.sum<string | number | null>('counted').as('total'))
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** Few enough to read and put in order; by the index of the filter when there is one. */
const allIn = (db: Database, search: Search, which: WhichUsers): Promise<number[]> =>
  idsOf(
    db,
    sql`select id, ${keyOf(which)} as ordered from "user"
    where ${every([...filtered(which), ...searched(search.contains, which)])} order by ${byKey(which)}`,
  )

/** The index of the order, read from the nearer end until the page is full. */
async function walk(db: Database, which: WhichUsers, page: Page, total: number): Promise<number[]> {
  const { offset, limit } = page
  const size = Math.max(0, Math.min(limit, total - offset))
  if (size === 0) return []
  const fromEnd = offset > total / 2
  const turned = fromEnd ? { ...which, descending: !which.descending } : which
  const ids = await idsOf(
    db,
    sql`select id from "user" where ${every(walking(which))} order by ${orderOf(turned)}
    limit ${size} offset ${fromEnd ? total - offset - size : offset}`,
  )
  return fromEnd ? ids.reverse() : ids
}

interface Found {
  id: number
  role_id: number | null
  blocked: number
}

/** The first that the index of texts gives, whatever their role, in order; one more than `fewFound` says that there are too many. */
async function firstFound(db: Database, search: Search, which: WhichUsers): Promise<Found[]> {
  const anyone = { ...which, roleIds: undefined, blocked: undefined }
  // Materialized, for SQLite would else put all that match in order before it takes the first.
  const { rows } = await sql<Found>`
    with found as materialized (
      select "user".id, role_id, blocked, ${keyOf(which)} as ordered from ${matches(search, anyone)} limit ${sql.lit(fewFound + 1)}
    )
    select id, role_id, blocked from found order by ${byKey(which)}`.execute(db)
  return rows
}

const passes = (which: WhichUsers, row: Found): boolean => {
  const roleIds = namedRoles(which)
  return (
    (roleIds === undefined || (row.role_id !== null && roleIds.includes(row.role_id))) &&
    (which.blocked === undefined || (row.blocked === 1) === which.blocked)
  )
}

/** By the index of texts, and put in order. */
async function allFound(db: Database, search: Search, which: WhichUsers): Promise<number[]> {
  return idsOf(
    db,
    sql`select "user".id as id, ${keyOf(which)} as ordered from ${matches(search, which)} order by ${byKey(which)}`,
  )
}

/**
 * A page from the stretches of the order that are likely to fill it: the names that begin so, when those come first, and
 * then the first rows, in which what is found all over the list is found too. Undefined when they do not fill it.
 */
async function foundInOrder(
  db: Database,
  search: Search,
  which: WhichUsers,
  { offset, limit }: Page,
): Promise<FoundIds | undefined> {
  const wanted = offset + limit + 1
  const begins = beginning(which)
  const ids = begins ? await foundBeginning(db, search, which, begins, wanted) : []
  if (ids.length < wanted) ids.push(...(await foundFirst(db, search, which, wanted - ids.length)))
  if (ids.length < wanted) return undefined
  const unfiltered = filtered(which).length === 0
  const total = Math.max(offset + limit, unfiltered ? fewFound : 0)
  return { ids: ids.slice(offset, offset + limit), total, more: true }
}

const foundBeginning = (
  db: Database,
  search: Search,
  which: WhichUsers,
  begins: RawBuilder<SqlBool>,
  most: number,
): Promise<number[]> =>
  idsOf(
    db,
    sql`select id from "user" where ${every([begins, ...walking(which), ...searched(search.contains, which)])}
    order by ${orderOf(which)} limit ${most}`,
  )

/** Both databases read the inner rows one by one, in their order, and stop when there are enough. */
function foundFirst(db: Database, search: Search, which: WhichUsers, most: number): Promise<number[]> {
  const begins = beginning(which)
  const conditions = [
    ...filtered(which),
    ...searched(search.contains, which),
    ...(begins ? [sql<SqlBool>`not ${begins}`] : []),
  ]
  return idsOf(
    db,
    sql`select id from (
      select id, ordered from (
        select id, role_id, blocked, search_text, ${orders[which.sort]} as ordered from "user"
        order by ${orderOf(which)} limit ${sql.lit(walked[which.sort])}
      ) as first_rows where ${every(conditions)} limit ${most}
    ) as page order by ${byKey(which)}`,
  )
}

/** All that match are read and put in order: for a search that finds much, but not where the order begins. */
async function gathered(db: Database, search: Search, which: WhichUsers, page: Page): Promise<FoundIds> {
  const { rows } = await sql<{ id: number | null; total: number | string }>`
    with matched as materialized (select "user".id, ${keyOf(which)} as ordered from ${matches(search, which)}),
    page as (select id, ordered from matched order by ${byKey(which)} limit ${page.limit} offset ${page.offset})
    select page.id, counted.total from (select count(*) as total from matched) as counted left join page on true
    order by ${byKey(which)}`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0]?.total ?? 0),
    more: false,
  }
}

async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}
