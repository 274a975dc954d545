import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Locale, locales } from '../../contract/locales.ts'
import type { pageSorts, pageStatuses } from '../../contract/pages.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { containsAll } from '../../platform/db/text-search.ts'
import { plannedNumbers, stateNumbers } from './page-write.queries.ts'

export interface WhichPages {
  /** Of `searchParts`. */
  parts: string[]
  bin: boolean
  locale: Locale | undefined
  status: (typeof pageStatuses)[number] | undefined
  /** Whose drafts. */
  userId: number
  sort: (typeof pageSorts)[number]
  descending: boolean
}

interface Page {
  offset: number
  limit: number
}

interface FoundIds {
  ids: number[]
  total: number
  /** There are more than `total`. */
  more: boolean
}

type Search = Pick<Dialect, 'narrow' | 'contains' | 'containsByIndex'>

/** So many rows are read and put in order at once; above it the order is read from its index. */
const few = 1_000
/** The same for what the index of texts finds, where each row is a step of its own. */
const fewFound = 300
/** Rows of an order that are read in the hope to fill the page from them. */
const walked = 2_000

/** What each order is read by: an index that also holds what is filtered by. */
const orders: Record<WhichPages['sort'], RawBuilder<unknown>> = {
  updatedAt: sql`updated_at`,
  title: sql`search_text`,
}

/** The ids of one page of the list, in order, and how many there are in all; of very many pages it takes about as long as of few. */
export async function findPageIds(db: Database, search: Search, which: WhichPages, page: Page): Promise<FoundIds> {
  const total = which.status === 'draft' ? 0 : await countFiltered(db, which)
  if (which.parts.length === 0 && total > few) return { ids: await walk(db, which, page, total), total, more: false }
  const found = which.parts.length === 0 ? await allIn(db, which) : await firstFound(db, search, which)
  if (which.parts.length === 0 || found.length <= fewFound) {
    return { ids: found.slice(page.offset, page.offset + page.limit), total: found.length, more: false }
  }
  // One more than the page holds, so that `more` is true.
  const ids = await foundInOrder(db, search, which, { ...page, limit: page.limit + 1 })
  if (ids.length <= page.limit) return gathered(db, search, which, page)
  return { ids: ids.slice(0, page.limit), total: Math.max(fewFound, page.offset + page.limit), more: true }
}

/** Kept by the database, so nothing is counted. */
async function countFiltered(db: Database, which: WhichPages): Promise<number> {
  const { rows } = await sql<{ total: string | number | null }>`
    select sum(counted) as total from page_count where ${every(filtered(which))}`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** By the index of the filter, and put in order. */
const allIn = (db: Database, which: WhichPages): Promise<number[]> =>
  idsOf(db, sql`select id from page where ${every(conditions(which))} order by ${orderOf(which)}`)

/** The index of the order, read from the nearer end until the page is full. */
async function walk(db: Database, which: WhichPages, { offset, limit }: Page, total: number): Promise<number[]> {
  const size = Math.max(0, Math.min(limit, total - offset))
  if (size === 0) return []
  const fromEnd = offset > total / 2
  const turned = fromEnd ? { ...which, descending: !which.descending } : which
  const ids = await idsOf(
    db,
    sql`select id from page where ${every(filtered(which, (name) => sql`+${sql.ref(name)}`))} order by ${orderOf(turned)}
    limit ${size} offset ${fromEnd ? total - offset - size : offset}`,
  )
  return fromEnd ? ids.reverse() : ids
}

/** What the index of texts finds: what stands after `from`, with its condition. */
function matches(search: Search, which: WhichPages): RawBuilder<unknown> {
  const narrowed = search.narrow({ table: 'page', column: 'search_text' }, which.parts)
  const all = every([...conditions(which), containsAll(search.containsByIndex, 'search_text', which.parts)])
  // A cross join, so that SQLite begins with what was found and looks up each.
  return narrowed
    ? sql`${narrowed} as narrowed cross join page where page.id = narrowed.id and ${all}`
    : sql`page where ${all}`
}

/** The first that are found, in order; one more than `few` says that there are too many to read. */
const firstFound = (db: Database, search: Search, which: WhichPages): Promise<number[]> =>
  idsOf(
    db,
    sql`with found as materialized (
      select page.id, ${orders[which.sort]} as ordered from ${matches(search, which)} limit ${sql.lit(fewFound + 1)}
    ) select id from found order by ordered ${direction(which)}, id ${direction(which)}`,
  )

/** All that match are read and put in order: for a search that finds much, but not where the order begins. */
async function gathered(db: Database, search: Search, which: WhichPages, { offset, limit }: Page): Promise<FoundIds> {
  const order = sql`ordered ${direction(which)}, id ${direction(which)}`
  const { rows } = await sql<{ id: number | null; total: number | string }>`
    with matched as materialized (select page.id, ${orders[which.sort]} as ordered from ${matches(search, which)}),
    part as (select id, ordered from matched order by ${order} limit ${limit} offset ${offset})
    select part.id, counted.total from (select count(*) as total from matched) as counted left join part on true
    order by ${order}`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0]?.total ?? 0),
    more: false,
  }
}

/** Found all over the list, so the beginning of the order holds enough of it. */
function foundInOrder(db: Database, search: Search, which: WhichPages, { offset, limit }: Page): Promise<number[]> {
  const all = every([...conditions(which), containsAll(search.contains, 'search_text', which.parts)])
  return idsOf(
    db,
    sql`select id from (
      select id, ordered from (
        select id, bin, state_nl, state_fa, planned, search_text, ${orders[which.sort]} as ordered from page
        order by ${orderOf(which)} limit ${sql.lit(walked)}
      ) as page where ${all} limit ${limit} offset ${offset}
    ) as part order by ordered ${direction(which)}, id ${direction(which)}`,
  )
}

const direction = (which: WhichPages) => (which.descending ? sql`desc` : sql`asc`)
const orderOf = (which: WhichPages) => sql`${orders[which.sort]} ${direction(which)}, id ${direction(which)}`

type Column = (name: string) => RawBuilder<unknown>

/** What the counted columns can tell. */
function filtered(which: WhichPages, column: Column = (name) => sql.ref(name)): RawBuilder<SqlBool>[] {
  const { bin, locale, status } = which
  const asked = locale === undefined ? locales : [locale]
  const state = (one: Locale) => column(`state_${one}`)
  const some = (of: (one: Locale) => RawBuilder<SqlBool>) => sql<SqlBool>`(${sql.join(asked.map(of), sql` or `)})`
  const { published, unpublished, changed } = stateNumbers
  return [
    sql<SqlBool>`${column('bin')} = ${sql.lit(bin ? 1 : 0)}`,
    ...(locale === undefined ? [] : [sql<SqlBool>`${state(locale)} > 0`]),
    ...(status === 'published' ? [some((one) => sql<SqlBool>`${state(one)} >= ${sql.lit(published)}`)] : []),
    ...(status === 'changed' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(changed)}`)] : []),
    ...(status === 'unpublished' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(unpublished)}`)] : []),
    ...(status === 'planned'
      ? [some((one) => sql<SqlBool>`${column('planned')} in (${sql.lit(plannedNumbers[one])}, 3)`)]
      : []),
  ]
}

const conditions = (which: WhichPages): RawBuilder<SqlBool>[] => [
  ...filtered(which),
  ...(which.status === 'draft'
    ? [
        sql<SqlBool>`page.id in (select page_id from page_draft where user_id = ${which.userId} and text is not null${
          which.locale === undefined ? sql`` : sql` and locale = ${which.locale}`
        })`,
      ]
    : []),
]

const every = (list: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> => sql.join(list, sql` and `)

async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}
