import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { removeMessages } from './change-messages.ts'
import { listMessagesInOrder } from './list-messages.ts'
import { lockMessages } from './message.queries.ts'
import { listReplies } from './message-change.queries.ts'
import { listMessageFiles } from './message-file.queries.ts'
import { listMessageIdsOf } from './message-list.queries.ts'

const batch = 500

/** Ids of the messages sent from an address, in any folder, oldest first. @param email in lower case */
export const listMessageIdsOfSender = (db: Db, dialect: Context['dialect'], email: string): Promise<number[]> =>
  listMessageIdsOf(db, dialect, { terms: searchTerms(email), email })

/**
 * All stored data of messages, for the person who sent them.
 * @param contentOf returns the placeholder for the content of a file, by its blob id
 */
export async function exportStoredMessages(
  db: Db,
  ids: readonly number[],
  contentOf: (blobId: string) => string,
): Promise<object[]> {
  const whole: object[] = []
  for (let at = 0; at < ids.length; at += batch) {
    for (const found of await listMessagesInOrder(db, ids.slice(at, at + batch))) {
      const { message, thread: _, version: __, counted: ___, form, ...facts } = found
      const replies = await listReplies(db, found.id)
      const files = await listMessageFiles(db, [found.id])
      const answers = form.answers.map(({ label, text }) => ({ label, text }))
      whole.push({
        ...message,
        ...facts,
        ...(form.name !== '' && { form: form.name, answers }),
        ...(files.length > 0 && {
          files: files.map(({ id, name, type, bytes, blobId }) => ({
            name,
            type,
            bytes,
            url: `/api/messages/${found.id}/files/${id}`,
            content: contentOf(blobId),
          })),
        }),
        replies: replies.map(({ text, by, at }) => ({ text, by, at })),
      })
    }
  }
  return whole
}

/** Deletes messages with their replies and all emails about them. */
export async function removeAllMessages(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now'>,
  ids: readonly number[],
): Promise<void> {
  const sorted = ids.toSorted((one, other) => one - other)
  for (let at = 0; at < sorted.length; at += batch) {
    const some = sorted.slice(at, at + batch)
    await lockMessages(tx, ctx.dialect, some)
    await removeMessages(tx, some, ctx.now())
  }
}
