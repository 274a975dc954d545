import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../platform/db/database.ts'
import {
  direction,
  every,
  filtered,
  matches,
  narrowOf,
  type Search,
  searched,
  type WhichMessages,
} from './which-messages.queries.ts'

export interface FoundIds {
  ids: number[]
  total: number
  /** There are more than `total`. */
  more: boolean
}

type Page = { offset: number; limit: number }

/** A folder is counted no further. */
const countedMost = 10_000
/** So many that a search finds, in whatever folder, are read and put in order at once. */
const few = 300
/** Messages of a folder that are read in the hope to fill the page from them; the second, where the index of texts gives nothing in order. */
const walked = [2_000, 20_000] as const

/**
 * The ids of one page, in order, and how many there are. What is read depends on how much the search finds, so that a page of
 * very many messages takes about as long as one of few.
 */
export async function findMessagePage(
  db: Database,
  search: Search,
  which: WhichMessages,
  page: Page,
): Promise<FoundIds> {
  if (which.parts.length === 0) return walk(db, which, page)
  const found = await firstFound(db, search, which)
  if (found.length <= few) {
    const ids = found.filter((row) => passes(which, row)).map(({ id }) => id)
    return pageOf(which.descending ? ids.sort((a, b) => b - a) : ids.sort((a, b) => a - b), page)
  }
  const wanted = page.offset + page.limit + 1
  const inOrder = narrowOf(search, which) !== undefined
  for (const most of inOrder ? walked.slice(0, 1) : walked) {
    const near = await amongTheFirst(db, search, which, { most, wanted })
    if (near.length === wanted) return { ...pageOf(near, page), total: wanted - 1, more: true }
    if ((await countFiltered(db, which, most + 1)) <= most) return pageOf(near, page)
  }
  const all = await (inOrder ? foundInOrder : gathered)(db, search, which, wanted)
  return all.length === wanted ? { ...pageOf(all, page), total: wanted - 1, more: true } : pageOf(all, page)
}

/** How many messages a folder holds, or holds in a state; counted no further than `most`. */
export async function countFiltered(
  db: Database,
  which: Pick<WhichMessages, 'folder' | 'state'>,
  most = countedMost,
): Promise<number> {
  const { rows } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from message where ${every(filtered(which))} limit ${sql.lit(most)}) as counted`.execute(
    db,
  )
  return Number(rows[0]?.total ?? 0)
}

/** Every id, in order. */
export const findAllMessageIds = (db: Database, search: Search, which: WhichMessages): Promise<number[]> =>
  idsOf(
    db,
    sql`select message.id from ${matches(search, which, filtered(which))} order by message.id ${direction(which)}`,
  )

const pageOf = (ids: number[], { offset, limit }: Page): FoundIds => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
  more: false,
})

/** The index of the folder, from its end. */
async function walk(db: Database, which: WhichMessages, { offset, limit }: Page): Promise<FoundIds> {
  const counted = await countFiltered(db, which, countedMost + 1)
  const ids = await idsOf(
    db,
    sql`select id from message where ${every(filtered(which))} order by id ${direction(which)} limit ${limit} offset ${offset}`,
  )
  return { ids, total: Math.min(counted, countedMost), more: counted > countedMost }
}

interface Found {
  id: number
  folder: string
  read_at: string | null
  answered_at: string | null
}

/** What the index of texts gives first, in any folder; one more than `few` says that there are too many. */
async function firstFound(db: Database, search: Search, which: WhichMessages): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select message.id, folder, read_at, answered_at from ${matches(search, which, [])} limit ${sql.lit(few + 1)}`.execute(
    db,
  )
  return rows
}

const passes = ({ folder, state }: WhichMessages, row: Found): boolean =>
  row.folder === folder &&
  (state !== 'unread' || row.read_at === null) &&
  (state !== 'open' || row.answered_at === null) &&
  (state !== 'answered' || row.answered_at !== null)

/** Of the first messages of the folder those that are found: what many have is found there soon. */
const amongTheFirst = (
  db: Database,
  search: Search,
  which: WhichMessages,
  { most, wanted }: { most: number; wanted: number },
): Promise<number[]> =>
  idsOf(
    db,
    sql`select id from (
      select id, search_text from message where ${every(filtered(which))} order by id ${direction(which)} limit ${sql.lit(most)}
    ) as first_rows where ${every(searched(search.contains, which))} order by id ${direction(which)} limit ${wanted}`,
  )

/** What the index of texts finds, which gives it in order, until there are enough. */
const foundInOrder = (db: Database, search: Search, which: WhichMessages, most: number): Promise<number[]> =>
  idsOf(
    db,
    sql`select message.id from ${matches(search, which, filtered(which))}
    order by narrowed.id ${direction(which)} limit ${most}`,
  )

/** All that the index of texts finds, and then in order. Materialized, or PostgreSQL may read the whole folder in its order in place of it. */
const gathered = (db: Database, search: Search, which: WhichMessages, most: number): Promise<number[]> =>
  idsOf(
    db,
    sql`with matched as materialized (select message.id from ${matches(search, which, filtered(which))})
    select id from matched order by id ${direction(which)} limit ${most}`,
  )

async function idsOf(db: Database, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The messages that were sent from one address, the oldest first.
 * @param email in lower case
 */
export async function findMessageIdsOf(
  db: Database | Transaction,
  search: Search,
  which: { parts: string[]; email: string },
): Promise<number[]> {
  const all: WhichMessages = { parts: which.parts, folder: 'inbox', descending: false }
  const { rows } = await sql<{ id: number; email: string }>`
    select message.id, email from ${matches(search, all, [])} order by message.id`.execute(db)
  // What is searched is folded: two addresses may look alike there.
  return rows.filter(({ email }) => email.toLowerCase() === which.email).map(({ id }) => id)
}
