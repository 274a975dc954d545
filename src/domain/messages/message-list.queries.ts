import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageFolder, MessageState } from '../../contract/messages.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { countRows } from '../../platform/db/long-list.ts'
import { type LongList, matchingRows, type RenderColumn, type SearchDialect } from '../../platform/db/long-list-sql.ts'

export interface MessageFilter {
  /** From `searchTerms`. */
  terms: string[]
  folder: MessageFolder
  state?: MessageState | undefined
  form?: string | undefined
  /** Only the message with this id. */
  id?: number | undefined
  /** Newest first. */
  descending: boolean
}

/** Each condition must be that of a partial index, literally, so that the index is used. */
const stateConditions: Record<MessageState, (column: RenderColumn) => RawBuilder<SqlBool>> = {
  unread: (column) => sql`${column('read_at')} is null`,
  open: (column) => sql`${column('answered_at')} is null`,
  answered: (column) => sql`${column('answered_at')} is not null`,
}

/** The number of messages in a folder, with `state` only of those in it; the count stops at a few thousand. */
export const countMessages = (db: Database, filter: Pick<MessageFilter, 'folder' | 'state'>): Promise<number> =>
  countRows(db, messageList({ ...filter, terms: [], descending: true }))

export const messageList = ({ terms, folder, state, form, id, descending }: MessageFilter): LongList => ({
  table: 'message',
  terms,
  filter: (column) => [
    sql<SqlBool>`${column('folder')} = ${folder}`,
    ...(state ? [stateConditions[state](column)] : []),
    ...(form === undefined ? [] : [sql<SqlBool>`${column('form_id')} = ${form}`]),
    ...(id === undefined ? [] : [sql<SqlBool>`${column('id')} = ${id}`]),
  ],
  filterColumns: ['folder', 'read_at', 'answered_at', 'form_id'],
  filterIsIndexed: true,
  descending,
  scanLimits: [2_000, 20_000],
})

/**
 * Ids of the messages from one address, oldest first.
 * @param sender.terms of its `searchTerms`
 * @param sender.email in lower case
 */
export async function listMessageIdsOf(
  db: Db,
  search: SearchDialect,
  sender: { terms: string[]; email: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    select message.id, email from ${matchingRows(search, { table: 'message', terms: sender.terms })} order by message.id`.execute(
    db,
  )
  // The search text is folded, so different addresses can match it.
  return rows.filter(({ email }) => email.toLowerCase() === sender.email).map(({ id }) => id)
}
