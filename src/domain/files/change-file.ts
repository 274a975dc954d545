import { Refusal } from '../../contract/errors.ts'
import type { ChangedFile, CropArea, StoredFile } from '../../contract/files.ts'
import { invalidate, lockContent } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, isStale } from '../allow.ts'
import { record } from '../audit/record.ts'
import { releaseBlobs } from './blob.queries.ts'
import { canWriteFiles } from './file.policy.ts'
import { type FileRow, listPublicIds } from './file.queries.ts'
import { deleteFileRow, requeueImage, updateFileContent, updateFileDetails } from './file-write.queries.ts'
import { fileTag } from './find-served-file.ts'
import { getFileRow, type ListFileUsages, listFileUsages } from './list-files.ts'
import { lockFiles } from './lock-files.ts'
import {
  choosePublicId,
  needsResizing,
  receiveUpload,
  safeFileName,
  type UploadBody,
  uploadRefusal,
} from './receive-upload.ts'
import { fileAuditFields, fileSubject, toStoredFile } from './show-file.ts'
import { tryCollectGarbage } from './store-blob.ts'

/**
 * Changes the description of a file, and the crop and focal point of an image; omitted fields stay.
 * @throws {Refusal} `not_found`, `stale`, `invalid` for a crop outside the image or a language that the site does not have
 */
export async function changeFile(ctx: Context, id: number, input: ChangedFile): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)

  const file = await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    const before = await getFileRow(tx, id)
    if (isStale(input, before)) throw new Refusal('stale', { current: toStoredFile(before, actor) })
    const crop = input.crop === undefined ? before.crop : withoutFullCrop(input.crop, before)
    if (crop && input.crop !== undefined && !isInside(crop, before)) {
      throw new Refusal('invalid', { problems: [{ path: 'crop', key: 'value' }] })
    }
    const problems = Object.keys(input.alt ?? {})
      .filter((locale) => !ctx.site.locales.includes(locale) && !Object.hasOwn(before.alt, locale))
      .map((locale) => ({ path: `alt.${locale}`, key: 'languageGone' as const }))
    if (problems.length > 0) throw new Refusal('invalid', { problems })
    const isCropChanged = JSON.stringify(crop) !== JSON.stringify(before.crop)
    const { contentHash, publicId } = before
    await updateFileDetails(
      tx,
      id,
      {
        name: input.name === undefined ? before.name : safeFileName(input.name, before.type),
        folder: input.folder ?? before.folder,
        alt: { ...before.alt, ...input.alt },
        focal: input.focal ?? before.focal,
        crop,
        publicId: isCropChanged ? await choosePublicId(tx, ctx, { contentHash, crop }, id) : publicId,
      },
      isCropChanged ? actor.id : undefined,
      ctx.now(),
    )
    return recordAndInvalidate(tx, ctx, 'file.updated', before)
  })
  await ctx.wake.invalidation()
  ctx.wake.image()
  return toStoredFile(file, actor)
}

/** Records a change in the audit log, and invalidates the pages that may show the file. @returns the changed file */
async function recordAndInvalidate(
  tx: Transaction,
  ctx: Context,
  action: 'file.updated' | 'file.replaced',
  before: FileRow,
): Promise<FileRow> {
  const after = await getFileRow(tx, before.id)
  await record(tx, ctx, {
    action,
    subject: fileSubject(after),
    before: fileAuditFields(before),
    after: fileAuditFields(after),
  })
  // A CDN may have cached the previous content under each public id.
  await invalidate(tx, ['page', ...(await listPublicIds(tx, before.id)).map(fileTag)])
  return after
}

/** A crop of the whole image is none. */
const withoutFullCrop = (crop: CropArea | null, { width, height }: FileRow): CropArea | null =>
  crop && crop.x === 0 && crop.y === 0 && crop.width === width && crop.height === height ? null : crop

const isInside = (crop: CropArea, file: FileRow): boolean =>
  needsResizing(file) &&
  file.frames === 1 &&
  crop.x + crop.width <= (file.width ?? 0) &&
  crop.y + crop.height <= (file.height ?? 0)

/** Queues an image again whose resizing failed; others stay as they are. @throws {Refusal} `not_found` */
export async function regenerateImages(ctx: Context, id: number): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)
  const file = await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    const before = await getFileRow(tx, id)
    if (before.state === 'failed') await requeueImage(tx, id, actor.id, ctx.now())
    return getFileRow(tx, id)
  })
  ctx.wake.image()
  return toStoredFile(file, actor)
}

/**
 * Deletes a file that is not used anywhere. The locks make sure that no instance saves content with the file at the same time.
 * @param sources the functions that search for usages
 * @throws {Refusal} `not_found`; `file_in_use`, with the usages
 */
export async function deleteFile(ctx: Context, id: number, sources: readonly ListFileUsages[]): Promise<void> {
  allow(ctx, canWriteFiles)

  await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    const file = await getFileRow(tx, id)
    await lockContent(tx)
    const publicIds = await listPublicIds(tx, id)
    const usages = await listFileUsages({ ...ctx, db: tx }, publicIds, sources)
    if (usages.length > 0) throw new Refusal('file_in_use', { current: { places: usages } })

    await deleteFileRow(tx, id)
    await releaseBlobs(tx, [file.blobId, file.resizedBlobId], ctx.now())
    await record(tx, ctx, { action: 'file.deleted', subject: fileSubject(file), before: fileAuditFields(file) })
    await invalidate(tx, publicIds.map(fileTag))
  })
  await ctx.wake.invalidation()
  await tryCollectGarbage(ctx)
}

/**
 * Replaces the content of a file. Its usages stay, and its old URLs redirect to the new one. Crop and focal point of an
 * image are reset.
 * @throws {Refusal} as `receiveUpload`, and `not_found`, `stale`, `invalid` for content of another kind
 */
export async function replaceFile(
  ctx: Context,
  id: number,
  input: UploadBody & { name?: string | undefined; version?: number | undefined },
): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)
  await getFileRow(ctx.db, id)

  const file = await receiveUpload(ctx, actor, input, ({ content, store }) =>
    store(async (tx, stored) => {
      await lockFiles(tx, ctx)
      const before = await getFileRow(tx, id)
      if (isStale(input, before)) throw new Refusal('stale', { current: toStoredFile(before, actor) })
      if (content.kind !== before.kind) throw uploadRefusal('invalid', 'fileOtherKind')
      const isResized = needsResizing(content)
      await updateFileContent(
        tx,
        id,
        {
          // Without a new name, the old one with the extension of the new content.
          name: safeFileName(input.name ?? before.name, content.type),
          publicId: await choosePublicId(tx, ctx, { contentHash: content.contentHash, crop: null }, id),
          content: stored,
          resizeFor: isResized ? actor.id : undefined,
        },
        ctx.now(),
      )
      await releaseBlobs(tx, [before.blobId, ...(isResized ? [] : [before.resizedBlobId])], ctx.now())
      return recordAndInvalidate(tx, ctx, 'file.replaced', before)
    }),
  )
  await ctx.wake.invalidation()
  ctx.wake.image()
  await tryCollectGarbage(ctx)
  return toStoredFile(file, actor)
}
