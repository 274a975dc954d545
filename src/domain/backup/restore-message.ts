import type { MessageInBackup } from '../../contract/backups.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'
import { storeBlobs } from '../files/store-blob.ts'
import { resolveId } from '../messages/message.queries.ts'
import { isMessageInSite, type ListedBackupMessage, listStoredRows, readMessages } from './backup-rows.queries.ts'
import {
  commitStoredBlob,
  createErasedCheck,
  type ExtractedBlob,
  extractBlobs,
  insertStoredRows,
  NotRestored,
  type OpenBackup,
  type OpenBackupContext,
  toBlobInput,
  withoutErasedAuthor,
  withoutId,
} from './open-backup.ts'

/** The messages of a backup, oldest first, without those of people who were erased since. */
export async function* readBackupMessages(
  ctx: Pick<Context, 'db' | 'secret'>,
  backup: OpenBackup,
): AsyncGenerator<ListedBackupMessage[]> {
  const isErased = await createErasedCheck(ctx, ctx.db, backup)
  for await (const rows of readMessages(backup.db)) yield rows.filter((row) => !isErased(row))
}

/** What `restoreBackupMessage` would restore, and `problem` if it cannot. */
export async function previewBackupMessage(
  ctx: Pick<Context, 'db'>,
  backup: OpenBackup,
  message: ListedBackupMessage & { isErased: boolean },
): Promise<MessageInBackup> {
  const { id, reference, name, email, createdAt: at, isErased } = message
  const countOf = async (table: 'message_reply' | 'message_file') =>
    (await listStoredRows(backup.db, backup.table(table), { column: 'message_id', value: id })).length
  return {
    reference: reference ?? id,
    ...{ name, email, at },
    files: await countOf('message_file'),
    replies: await countOf('message_reply'),
    problem: isErased ? 'erased' : (await isMessageInSite(ctx.db, { id, reference })) ? 'present' : null,
  }
}

interface RestoredBackupMessage {
  id: number
  reference: number
  files: number
  /** The names of files that the backup lacks, or that are damaged. */
  missingFiles: string[]
  replies: number
}

/**
 * Restores a message of a backup with its replies and files, into the inbox even if it was spam. No email is sent, and the
 * statistics do not count it again.
 * @param number its reference or its id
 * @throws {NotRestored} `notInBackup`, `erased`, `present`; {Refusal} `storage_full`
 */
export async function restoreBackupMessage(
  ctx: OpenBackupContext,
  backup: OpenBackup,
  number: number,
): Promise<RestoredBackupMessage> {
  const id = await resolveId(backup.db, number)
  const rowsOf = (table: 'message_reply' | 'message_file') =>
    listStoredRows(backup.db, backup.table(table), { column: 'message_id', value: id })
  const [message] = await listStoredRows(backup.db, backup.table('message'), { column: 'id', value: id })
  if (!message) throw new NotRestored('notInBackup', `There is no message ${number} in this backup.`)
  const reference = message.reference === null ? null : Number(message.reference)
  const replies = await rowsOf('message_reply')
  const files = await rowsOf('message_file')
  const blobs = await extractBlobs(
    backup,
    files.map((file) => ({ blobId: String(file.blob_id), type: String(file.type) })),
  )
  const extracted = files.map((file, index) => ({ file, blob: blobs[index] as ExtractedBlob }))
  const restorable = extracted.filter(({ blob }) => blob.objects.length > 0)
  const missing = extracted.filter(({ blob }) => blob.objects.length === 0)
  const blobInputs = restorable.map(({ blob }) => toBlobInput(ctx, blob))
  await storeBlobs(ctx, blobInputs, (blobIds) =>
    ctx.transaction(async (tx) => {
      // Nobody is erased between the check and the insert.
      await ctx.dialect.lock(tx, 'people')
      // The lock of `receiveMessage`: no new message gets this reference meanwhile.
      await ctx.dialect.lock(tx, 'contact')
      const isErased = await createErasedCheck(ctx, tx, backup)
      if (isErased({ email: String(message.email), createdAt: String(message.created_at) })) {
        throw new NotRestored('erased', `The sender of message ${number} was erased since, so it stays deleted.`)
      }
      if (await isMessageInSite(tx, { id, reference })) {
        throw new NotRestored('present', `Message ${number} is in the site already.`)
      }
      await insertStoredRows(tx, ctx, backup.table('message'), [{ ...message, folder: 'inbox', spam_reason: null }])
      await ctx.dialect.copy.continueIds(tx, { message: id })
      const author = { id: 'actor_id', name: 'actor_name' }
      for (const reply of replies) {
        const row = await withoutErasedAuthor({ db: tx, backup, isErased }, reply, author)
        await insertStoredRows(tx, ctx, withoutId(backup.table('message_reply')), [row])
      }
      for (const blobId of blobIds) await commitStoredBlob(tx, blobId)
      const fileRows = restorable.map(({ file }, index) => ({ ...file, blob_id: blobIds[index] as string }))
      await insertStoredRows(tx, ctx, withoutId(backup.table('message_file')), fileRows)
      await record(
        tx,
        { now: ctx.now, actor: ctx.actor },
        {
          action: 'backup.message_restored',
          subject: { type: 'message', id, name: String(reference ?? id) },
          after: { backup: backup.header.madeAt, files: restorable.length, replies: replies.length },
        },
      )
    }),
  )
  const missingFiles = missing.map(({ file }) => String(file.name))
  return { id, reference: reference ?? id, files: restorable.length, replies: replies.length, missingFiles }
}
