import type { Db, Transaction } from '../../platform/db/database.ts'
import type { MessageWindow } from './message.queries.ts'

interface StoredMessageFile {
  id: number
  messageId: number
  /** The id of the form field. */
  field: string
  name: string
  type: string
  bytes: number
  blobId: string
}

export async function insertMessageFiles(
  tx: Transaction,
  messageId: number,
  files: readonly Pick<StoredMessageFile, 'field' | 'name' | 'type' | 'bytes' | 'blobId'>[],
): Promise<void> {
  if (files.length === 0) return
  await tx
    .insertInto('message_file')
    .values(
      files.map(({ field, name, type, bytes, blobId }) => ({
        message_id: messageId,
        field,
        name,
        type,
        bytes,
        blob_id: blobId,
      })),
    )
    .execute()
}

/** The files of some messages, by id. */
export async function listMessageFiles(db: Db, messageIds: readonly number[]): Promise<StoredMessageFile[]> {
  if (messageIds.length === 0) return []
  return selectFiles(db).where('message_id', 'in', messageIds).orderBy('id').execute()
}

/** The total size of files received within a window, from one sender or from all, and the time of the first. */
export async function sumMessageFiles(
  db: Db,
  { window, addressKey }: { window: MessageWindow; addressKey?: string },
): Promise<{ bytes: number; first: Date | undefined }> {
  const { bytes, first } = await db
    .selectFrom('message_file')
    .innerJoin('message', 'message.id', 'message_file.message_id')
    .select(({ fn }) => [fn.sum('message_file.bytes').as('bytes'), fn.min('message.created_at').as('first')])
    .where('message.created_at', '>', window.since.toISOString())
    .where('message.created_at', '<=', window.until.toISOString())
    .$if(addressKey !== undefined, (qb) => qb.where('message.address_key', '=', addressKey as string))
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), first: first ? new Date(first) : undefined }
}

export async function findMessageFile(db: Db, messageId: number, id: number): Promise<StoredMessageFile | undefined> {
  return selectFiles(db).where('id', '=', id).where('message_id', '=', messageId).executeTakeFirst()
}

export async function listBlobsOfMessages(tx: Transaction, messageIds: readonly number[]): Promise<string[]> {
  return (await listMessageFiles(tx, messageIds)).map(({ blobId }) => blobId)
}

const selectFiles = (db: Db) =>
  db
    .selectFrom('message_file')
    .select(['id', 'message_id as messageId', 'field', 'name', 'type', 'bytes', 'blob_id as blobId'])
