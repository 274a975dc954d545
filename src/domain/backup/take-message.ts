import type { MessageInBackup } from '../../contract/backups.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'
import { storeBlobs } from '../files/store-blob.ts'
import { resolveId } from '../messages/message.queries.ts'
import {
  commitStoredBlob,
  createErasedCheck,
  extractBlobs,
  insertStored,
  NotTaken,
  type OpenBackup,
  storedFrom,
  type TakeOutContext,
  withoutErasedAuthor,
  withoutId,
} from './open-backup.ts'
import { isMessageThere, type ListedBackupMessage, listStoredRows, readMessages } from './take-out.queries.ts'

/** The messages of a backup, oldest first, without those of people who were erased since. */
export async function* readBackupMessages(
  ctx: Pick<Context, 'db' | 'secret'>,
  backup: OpenBackup,
): AsyncGenerator<ListedBackupMessage[]> {
  const isErased = await createErasedCheck(ctx, ctx.db, backup)
  for await (const rows of readMessages(backup.db)) yield rows.filter((row) => !isErased(row))
}

/** A message as the screen shows it before it is taken. */
export async function showBackupMessage(
  ctx: Pick<Context, 'db'>,
  backup: OpenBackup,
  found: ListedBackupMessage & { isErased: boolean },
): Promise<MessageInBackup> {
  const { id, reference, name, email, createdAt: at, isErased } = found
  const countOf = async (table: 'message_reply' | 'message_file') =>
    (await listStoredRows(backup.db, backup.table(table), { column: 'message_id', value: id })).length
  return {
    reference: reference ?? id,
    ...{ name, email, at },
    files: await countOf('message_file'),
    replies: await countOf('message_reply'),
    problem: isErased ? 'erased' : (await isMessageThere(ctx.db, { id, reference })) ? 'present' : null,
  }
}

export interface TakenMessage {
  id: number
  reference: number
  files: number
  /** The names of those that the backup lacks, or has damaged. */
  missingFiles: string[]
  replies: number
}

/**
 * Puts a message of a backup into the inbox as it was, also one that was spam, with its replies and files. No email is sent,
 * and no statistics count it a second time.
 * @param named by its reference or its id
 * @throws {NotTaken} when it is not in the backup, its sender was erased since, or it is in the site; {Refusal} `storage_full`
 */
export async function takeMessage(ctx: TakeOutContext, backup: OpenBackup, named: number): Promise<TakenMessage> {
  const id = await resolveId(backup.db, named)
  const rowsOf = (table: 'message_reply' | 'message_file') =>
    listStoredRows(backup.db, backup.table(table), { column: 'message_id', value: id })
  const [message] = await listStoredRows(backup.db, backup.table('message'), { column: 'id', value: id })
  if (!message) throw new NotTaken('notInBackup', `There is no message ${named} in this backup.`)
  const reference = message.reference === null ? null : Number(message.reference)
  const replies = await rowsOf('message_reply')
  const stored = await rowsOf('message_file')
  const blobs = await extractBlobs(
    backup,
    stored.map((file) => ({ blobId: String(file.blob_id), type: String(file.type) })),
  )
  const has = (index: number) => blobs[index]?.objects.length !== 0
  const files = stored.filter((_, index) => has(index))
  const presentBlobs = blobs.filter((_, index) => has(index))
  await storeBlobs(ctx, presentBlobs.map(storedFrom(ctx)), (blobIds) =>
    ctx.transaction(async (tx) => {
      // Nobody is erased between the check and the insert.
      await ctx.dialect.lock(tx, 'people')
      // As when a message is received: no other takes the reference meanwhile.
      await ctx.dialect.lock(tx, 'contact')
      const isErased = await createErasedCheck(ctx, tx, backup)
      if (isErased({ email: String(message.email), createdAt: String(message.created_at) })) {
        throw new NotTaken('erased', `The sender of message ${named} was erased since, so it stays deleted.`)
      }
      if (await isMessageThere(tx, { id, reference })) {
        throw new NotTaken('present', `Message ${named} is in the site already.`)
      }
      await insertStored(tx, ctx, backup.table('message'), [{ ...message, folder: 'inbox', spam_reason: null }])
      await ctx.dialect.copy.continueIds(tx, { message: id })
      const author = { id: 'actor_id', name: 'actor_name' }
      for (const reply of replies) {
        const shown = await withoutErasedAuthor({ db: tx, backup, isErased }, reply, author)
        await insertStored(tx, ctx, withoutId(backup.table('message_reply')), [shown])
      }
      for (const blobId of blobIds) await commitStoredBlob(tx, blobId)
      const rows = files.map((file, index) => ({ ...file, blob_id: blobIds[index] as string }))
      await insertStored(tx, ctx, withoutId(backup.table('message_file')), rows)
      await record(
        tx,
        { now: ctx.now, actor: ctx.actor },
        {
          action: 'backup.message_restored',
          subject: { type: 'message', id, name: String(reference ?? id) },
          after: { backup: backup.header.madeAt, files: files.length, replies: replies.length },
        },
      )
    }),
  )
  const missingFiles = stored.filter((_, index) => !has(index)).map(({ name }) => String(name))
  return { id, reference: reference ?? id, files: files.length, replies: replies.length, missingFiles }
}
