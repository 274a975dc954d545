import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageFolder, MessageState } from '../../contract/messages.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { countIn, type FoundIds, findAll, findPart } from '../../platform/db/long-list.ts'
import { type Column, type LongList, matches, type Search } from '../../platform/db/long-list-rows.ts'

export interface WhichMessages {
  /** Of `searchParts`. */
  parts: string[]
  folder: MessageFolder
  state?: MessageState | undefined
  /** The newest first. */
  descending: boolean
}

/** Each is the condition of an index, to the letter. */
const stateConditions: Record<MessageState, (column: Column) => RawBuilder<SqlBool>> = {
  unread: (column) => sql`${column('read_at')} is null`,
  open: (column) => sql`${column('answered_at')} is null`,
  answered: (column) => sql`${column('answered_at')} is not null`,
}

/** The ids of one page, in order, and how many there are. */
export const findMessageIds = (
  db: Database,
  search: Search,
  which: WhichMessages,
  page: { offset: number; limit: number },
): Promise<FoundIds> => findPart(db, search, listOf(which), page)

/** Every id, in order. */
export const findAllMessageIds = (db: Database, search: Search, which: WhichMessages): Promise<number[]> =>
  findAll(db, search, listOf(which))

/** How many messages a folder holds, or holds in a state; counted no further than some thousands. */
export const countMessages = (db: Database, which: Pick<WhichMessages, 'folder' | 'state'>): Promise<number> =>
  countIn(db, listOf({ ...which, parts: [], descending: true }))

const listOf = ({ parts, folder, state, descending }: WhichMessages): LongList => ({
  table: 'message',
  parts,
  filter: (column) => [
    sql<SqlBool>`${column('folder')} = ${folder}`,
    ...(state ? [stateConditions[state](column)] : []),
  ],
  filtered: ['folder', 'read_at', 'answered_at'],
  filterInOrder: true,
  descending,
  walked: [2_000, 20_000],
})

/**
 * The messages that were sent from one address, the oldest first.
 * @param email in lower case
 */
export async function findMessageIdsOf(
  db: Database | Transaction,
  search: Search,
  { parts, email: wanted }: { parts: string[]; email: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    select message.id, email from ${matches(search, { table: 'message', parts })} order by message.id`.execute(db)
  // What is searched is folded: two addresses may look alike there.
  return rows.filter(({ email }) => email.toLowerCase() === wanted).map(({ id }) => id)
}
