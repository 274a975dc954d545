import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { removeMessages } from './change-messages.ts'
import { listMessagesInOrder } from './list-messages.ts'
import { lockMessages } from './message.queries.ts'
import { listReplies } from './message-change.queries.ts'
import { listMessageFiles } from './message-file.queries.ts'
import { listMessageIdsOf } from './message-list.queries.ts'

const batchSize = 500

/** Ids of the messages sent from an address, in any folder, oldest first. @param email in lower case */
export const listMessageIdsOfSender = (db: Db, dialect: Context['dialect'], email: string): Promise<number[]> =>
  listMessageIdsOf(db, dialect, { terms: searchTerms(email), email })

/** Returns all stored data of messages, for their sender. @param contentOf returns a placeholder for the content of a blob */
export async function exportStoredMessages(
  db: Db,
  ids: readonly number[],
  contentOf: (blobId: string) => string,
): Promise<object[]> {
  const exported: object[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    for (const stored of await listMessagesInOrder(db, ids.slice(start, start + batchSize))) {
      const { message, thread: _, version: __, counted: ___, form, ...properties } = stored
      const replies = await listReplies(db, stored.id)
      const files = await listMessageFiles(db, [stored.id])
      const answers = form.answers.map(({ label, text }) => ({ label, text }))
      exported.push({
        ...message,
        ...properties,
        ...(form.name !== '' && { form: form.name, answers }),
        ...(files.length > 0 && {
          files: files.map(({ id, name, type, bytes, blobId }) => ({
            name,
            type,
            bytes,
            url: `/api/messages/${stored.id}/files/${id}`,
            content: contentOf(blobId),
          })),
        }),
        replies: replies.map(({ text, by, at }) => ({ text, by, at })),
      })
    }
  }
  return exported
}

/** `removeMessages` in batches, for any number of messages. */
export async function removeAllMessages(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now'>,
  ids: readonly number[],
): Promise<void> {
  const sorted = ids.toSorted((a, b) => a - b)
  for (let start = 0; start < sorted.length; start += batchSize) {
    const batch = sorted.slice(start, start + batchSize)
    await lockMessages(tx, ctx.dialect, batch)
    await removeMessages(tx, batch, ctx.now())
  }
}
