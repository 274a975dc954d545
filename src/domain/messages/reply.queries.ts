import type { Database, Transaction } from '../../platform/db/database.ts'

export interface StoredReply {
  id: number
  mailId: string
  text: string
  by: string
  at: string
}

/** Of one message, the oldest first. */
export async function listReplies(db: Database | Transaction, messageId: number): Promise<StoredReply[]> {
  const rows = await db
    .selectFrom('message_reply')
    .select(['id', 'mail_id', 'text', 'actor_name', 'created_at'])
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    mailId: row.mail_id,
    text: row.text,
    by: row.actor_name,
    at: row.created_at,
  }))
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
