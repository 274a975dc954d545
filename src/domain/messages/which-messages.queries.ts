import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageFolder, MessageState } from '../../contract/messages.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { containsAll } from '../../platform/db/text-search.ts'

export interface WhichMessages {
  /** Of `searchParts`. */
  parts: string[]
  folder: MessageFolder
  state?: MessageState | undefined
  /** The newest first. */
  descending: boolean
}

export type Search = Pick<Dialect, 'narrow' | 'contains' | 'containsByIndex'>

/** Each is the condition of an index, to the letter. */
const stateConditions: Record<MessageState, RawBuilder<SqlBool>> = {
  unread: sql`read_at is null`,
  open: sql`answered_at is null`,
  answered: sql`answered_at is not null`,
}

export const filtered = ({ folder, state }: Pick<WhichMessages, 'folder' | 'state'>): RawBuilder<SqlBool>[] => [
  sql<SqlBool>`folder = ${folder}`,
  ...(state ? [stateConditions[state]] : []),
]

export const searched = (contains: Search['contains'], { parts }: WhichMessages): RawBuilder<SqlBool>[] =>
  parts.length > 0 ? [containsAll(contains, 'search_text', parts)] : []

/** The messages that a search finds, by the index of texts: what stands after `from`, with its condition. */
export function matches(search: Search, which: WhichMessages, more: RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  const narrowed = narrowOf(search, which)
  const conditions = [...more, ...searched(search.containsByIndex, which)]
  // A cross join, so that SQLite begins with what was found, in its order, and looks up each.
  return narrowed
    ? sql`${narrowed} as narrowed cross join message where ${every([sql<SqlBool>`message.id = narrowed.id`, ...conditions])}`
    : sql`message where ${every(conditions)}`
}

/** The ids that a search may find, in their order; undefined without a search, and where the database finds its index by itself. */
export const narrowOf = (search: Search, { parts }: WhichMessages): RawBuilder<number> | undefined =>
  parts.length > 0 ? search.narrow({ table: 'message', column: 'search_text' }, parts) : undefined

export const every = (list: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  list.length > 0 ? sql.join(list, sql` and `) : sql<SqlBool>`1 = 1`

export const direction = ({ descending }: WhichMessages) => (descending ? sql`desc` : sql`asc`)
