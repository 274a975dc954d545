import type { UploadedFile } from '../../contract/files.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteFiles } from './file.policy.ts'
import { type FileRow, findFileRowByHash } from './file.queries.ts'
import { insertFile } from './file-write.queries.ts'
import { getFileRow } from './list-files.ts'
import { lockFiles } from './lock-files.ts'
import { choosePublicId, needsResizing, receiveUpload, safeFileName, type UploadBody } from './receive-upload.ts'
import { fileAuditFields, fileSubject, toStoredFile } from './show-file.ts'

/** Adds a file. Uploading the same content again returns the existing file. @throws {Refusal} as `receiveUpload` */
export async function uploadFile(
  ctx: Context,
  input: UploadBody & { name: string; folder?: string | undefined },
): Promise<UploadedFile> {
  const actor = allow(ctx, canWriteFiles)

  return receiveUpload(ctx, actor, input, async ({ content, store }) => {
    const { contentHash, type } = content
    const existing = await findFileRowByHash(ctx.db, contentHash)
    if (existing) return { ...toStoredFile(existing, actor), already: true }

    const file = await store(async (tx, stored) => {
      // On PostgreSQL two concurrent uploads of the same content would otherwise both be added.
      await lockFiles(tx, ctx)
      const addedMeanwhile = await findFileRowByHash(tx, contentHash)
      if (addedMeanwhile) throw new AlreadyUploaded(addedMeanwhile)
      const id = await insertFile(
        tx,
        {
          name: safeFileName(input.name, type),
          folder: input.folder ?? '',
          publicId: await choosePublicId(tx, ctx, { contentHash, crop: null }, undefined),
          addedBy: actor,
          content: stored,
          resizeFor: needsResizing(content) ? actor.id : undefined,
        },
        ctx.now(),
      )
      const added = await getFileRow(tx, id)
      await record(tx, ctx, { action: 'file.uploaded', subject: fileSubject(added), after: fileAuditFields(added) })
      return added
    }).catch((error) => {
      if (error instanceof AlreadyUploaded) return error
      throw error
    })
    if (file instanceof AlreadyUploaded) return { ...toStoredFile(file.row, actor), already: true }
    ctx.wake.image()
    return { ...toStoredFile(file, actor), already: false }
  })
}

/** Rolls back the transaction of an upload whose content was added meanwhile. */
class AlreadyUploaded extends Error {
  readonly row: FileRow
  constructor(row: FileRow) {
    super('already uploaded')
    this.row = row
  }
}
