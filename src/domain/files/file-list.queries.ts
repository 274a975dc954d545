import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FileKind } from '../../contract/file-types.ts'
import type { fileSorts } from '../../contract/files.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { containsAll } from '../../platform/db/text-search.ts'
import { kindNumber } from './file-write.queries.ts'

export interface WhichFiles {
  /** Of `searchParts`. */
  parts: string[]
  folderId: number | undefined
  kind: FileKind | undefined
  sort: (typeof fileSorts)[number]
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
/** Rows of an order that are read in the hope to fill the page from them. */
const walked = 2_000

/** What each order is read by: an index that also holds id, folder and kind. */
const orders: Record<WhichFiles['sort'], RawBuilder<unknown>> = {
  createdAt: sql`created_at`,
  name: sql`search_text`,
  bytes: sql`bytes`,
}

/** The ids of one page, in order, and how many there are in all; of very many files it takes about as long as of few. */
export async function findPage(db: Database, search: Search, which: WhichFiles, page: Page): Promise<FoundIds> {
  const total = await countFiltered(db, which)
  if (which.parts.length === 0 && total > few) return { ids: await walk(db, which, page, total), total, more: false }
  const found = which.parts.length === 0 ? await allIn(db, which) : await firstFound(db, search, which)
  if (found.length <= few) {
    return { ids: found.slice(page.offset, page.offset + page.limit), total: found.length, more: false }
  }
  const ids = await foundInOrder(db, search, which, page)
  if (ids.length < page.limit) return gathered(db, search, which, page)
  return { ids, total: Math.max(few, page.offset + ids.length), more: true }
}

/** Kept by the database, so nothing is counted. */
async function countFiltered(db: Database, { folderId, kind }: WhichFiles): Promise<number> {
  const row = await db
    .selectFrom('file_count')
    .$if(folderId !== undefined, (query) => query.where('folder_id', '=', folderId as number))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kindNumber(kind as FileKind)))
    .select((eb) => eb.fn.sum<string | number | null>('counted').as('total'))
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** By the index of the filter, and put in order. */
const allIn = (db: Database, which: WhichFiles): Promise<number[]> =>
  idsOf(db, sql`select id from file where ${every(filtered(which))} order by ${orderOf(which)}`)

/** The index of the order, read from the nearer end until the page is full. */
async function walk(db: Database, which: WhichFiles, { offset, limit }: Page, total: number): Promise<number[]> {
  const size = Math.max(0, Math.min(limit, total - offset))
  if (size === 0) return []
  const fromEnd = offset > total / 2
  const turned = fromEnd ? { ...which, descending: !which.descending } : which
  const ids = await idsOf(
    db,
    sql`select id from file where ${every(walking(which))} order by ${orderOf(turned)}
    limit ${size} offset ${fromEnd ? total - offset - size : offset}`,
  )
  return fromEnd ? ids.reverse() : ids
}

/** What the index of texts finds: what stands after `from`, with its condition. */
function matches(search: Search, which: WhichFiles): RawBuilder<unknown> {
  const narrowed = search.narrow({ table: 'file', column: 'search_text' }, which.parts)
  const conditions = every([...filtered(which), containsAll(search.containsByIndex, 'search_text', which.parts)])
  // A cross join, so that SQLite begins with what was found and looks up each.
  return narrowed
    ? sql`${narrowed} as narrowed cross join file where file.id = narrowed.id and ${conditions}`
    : sql`file where ${conditions}`
}

/** The first that are found, in order; one more than `few` says that there are too many to read. */
const firstFound = (db: Database, search: Search, which: WhichFiles): Promise<number[]> =>
  idsOf(
    db,
    sql`with found as materialized (
      select file.id, ${orders[which.sort]} as ordered from ${matches(search, which)} limit ${sql.lit(few + 1)}
    ) select id from found order by ordered ${direction(which)}, id ${direction(which)}`,
  )

/** All that match are read and put in order: for a search that finds much, but not where the order begins. */
async function gathered(db: Database, search: Search, which: WhichFiles, { offset, limit }: Page): Promise<FoundIds> {
  const order = sql`ordered ${direction(which)}, id ${direction(which)}`
  const { rows } = await sql<{ id: number | null; total: number | string }>`
    with matched as materialized (select file.id, ${orders[which.sort]} as ordered from ${matches(search, which)}),
    page as (select id, ordered from matched order by ${order} limit ${limit} offset ${offset})
    select page.id, counted.total from (select count(*) as total from matched) as counted left join page on true
    order by ${order}`.execute(db)
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0]?.total ?? 0),
    more: false,
  }
}

/** Found all over the list, so the beginning of the order holds enough of it. */
function foundInOrder(db: Database, search: Search, which: WhichFiles, { offset, limit }: Page): Promise<number[]> {
  const conditions = every([...filtered(which), containsAll(search.contains, 'search_text', which.parts)])
  return idsOf(
    db,
    sql`select id from (
      select id, ordered from (
        select id, folder_id, kind, search_text, ${orders[which.sort]} as ordered from file
        order by ${orderOf(which)} limit ${sql.lit(walked)}
      ) as first_rows where ${conditions} limit ${limit} offset ${offset}
    ) as page order by ordered ${direction(which)}, id ${direction(which)}`,
  )
}

const direction = (which: WhichFiles) => (which.descending ? sql`desc` : sql`asc`)
const orderOf = (which: WhichFiles) => sql`${orders[which.sort]} ${direction(which)}, id ${direction(which)}`

const conditionsOn = ({ folderId, kind }: WhichFiles, column: (name: string) => RawBuilder<unknown>) => [
  ...(folderId === undefined ? [] : [sql<SqlBool>`${column('folder_id')} = ${folderId}`]),
  ...(kind === undefined ? [] : [sql<SqlBool>`${column('kind')} = ${kindNumber(kind)}`]),
]
const filtered = (which: WhichFiles) => conditionsOn(which, (name) => sql.ref(name))
/** With a plus before it a column's own index is left alone, and the order's is read. */
const walking = (which: WhichFiles) => conditionsOn(which, (name) => sql`+${sql.ref(name)}`)

const every = (list: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  list.length > 0 ? sql.join(list, sql` and `) : sql<SqlBool>`1 = 1`

async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}
