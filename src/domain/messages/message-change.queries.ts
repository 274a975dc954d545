import type { SpamReason } from '../../contract/spam.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'

/**
 * @returns false when the message is in that folder already, or does not exist; so of two concurrent moves only one
 * takes effect
 */
export async function updateFolder(
  tx: Transaction,
  id: number,
  to: { folder: 'inbox' | 'spam'; reason: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('message')
    .set((eb) => ({ folder: to.folder, spam_reason: to.reason, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('folder', '!=', to.folder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateSpamReasons(tx: Transaction, id: number, reasons: readonly SpamReason[]): Promise<void> {
  await tx
    .updateTable('message')
    .set({ spam_reasons: JSON.stringify(reasons) })
    .where('id', '=', id)
    .execute()
}

export async function updateCounted(tx: Transaction, id: number, counted: boolean): Promise<void> {
  await tx
    .updateTable('message')
    .set({ counted: counted ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/** Marks messages as read, or with null as unread. Those in that state already keep their time. */
export async function updateRead(tx: Transaction, ids: readonly number[], at: Date | null): Promise<void> {
  await tx
    .updateTable('message')
    .set({ read_at: at?.toISOString() ?? null })
    .where('id', 'in', ids)
    .where('read_at', at ? 'is' : 'is not', null)
    .execute()
}

/** Marks messages as answered, or with null as unanswered. @returns the ids of those that were not in that state yet */
export async function updateAnswered(tx: Transaction, ids: readonly number[], at: Date | null): Promise<number[]> {
  const rows = await tx
    .updateTable('message')
    .set((eb) => ({ answered_at: at?.toISOString() ?? null, version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .where('answered_at', at ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Marks a message as read, if it was not, because of a reply, and as answered, even if it was answered before.
 * @param reply.isSending whether the reply is being sent; otherwise the message stays answered or unanswered
 */
export async function updateReplied(
  tx: Transaction,
  id: number,
  { at, isSending }: { at: Date; isSending: boolean },
): Promise<void> {
  await tx
    .updateTable('message')
    .set((eb) => ({
      ...(isSending && { answered_at: at.toISOString() }),
      read_at: eb.fn.coalesce('read_at', eb.val(at.toISOString())),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export async function updateNote(tx: Transaction, id: number, note: string): Promise<void> {
  await tx
    .updateTable('message')
    .set((eb) => ({ note, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Stores the Message-IDs of the notification emails about a message, so that replies join their thread. */
export async function updateThread(tx: Transaction, id: number, mailIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('message')
    .set({ thread: mailIds.join(' ') })
    .where('id', '=', id)
    .execute()
}

interface StoredReply {
  id: number
  mailId: string
  text: string
  by: string
  at: string
}

/** The replies to one message, oldest first. */
export async function listReplies(db: Db, messageId: number): Promise<StoredReply[]> {
  return db
    .selectFrom('message_reply')
    .select(['id', 'mail_id as mailId', 'text', 'actor_name as by', 'created_at as at'])
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute()
}

/**
 * The message to which an email is a reply, and when the reply was written; undefined when it is none.
 * @param mailId its Message-ID
 */
export async function findRepliedMessage(
  tx: Transaction,
  mailId: string,
): Promise<{ id: number; at: string } | undefined> {
  return tx
    .selectFrom('message_reply')
    .select(['message_id as id', 'created_at as at'])
    .where('mail_id', '=', mailId)
    .executeTakeFirst()
}

export async function insertReply(
  tx: Transaction,
  reply: { messageId: number; mailId: string; text: string; by: { id: number; name: string }; at: Date },
): Promise<void> {
  await tx
    .insertInto('message_reply')
    .values({
      message_id: reply.messageId,
      mail_id: reply.mailId,
      text: reply.text,
      actor_id: reply.by.id,
      actor_name: reply.by.name,
      created_at: reply.at.toISOString(),
    })
    .execute()
}
