import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { removeMessages } from './delete-messages.ts'
import { messagesInOrder } from './find-messages.ts'
import { findMessageIdsOf } from './message-list.queries.ts'
import { listReplies } from './reply.queries.ts'

const batch = 500

/** The messages that came from an address, in whatever folder, the oldest first. @param email in lower case */
export const findMessageIdsFrom = (
  db: Database | Transaction,
  dialect: Context['dialect'],
  email: string,
): Promise<number[]> => findMessageIdsOf(db, dialect, { parts: searchParts(email), email })

/** All that is kept of messages, for the one who wrote them. */
export async function messagesWhole(db: Database | Transaction, ids: readonly number[]): Promise<object[]> {
  const whole: object[] = []
  for (let at = 0; at < ids.length; at += batch) {
    for (const found of await messagesInOrder(db, ids.slice(at, at + batch))) {
      const { message, thread: _, version: __, ...facts } = found
      const replies = await listReplies(db, found.id)
      whole.push({ ...message, ...facts, replies: replies.map(({ text, by, at }) => ({ text, by, at })) })
    }
  }
  return whole
}

/** Removes messages with their answers and all letters about them. */
export async function removeAllMessages(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += batch) await removeMessages(tx, ids.slice(at, at + batch))
}
