import { join } from 'node:path'
import { imageTypesByExtension } from '../../contract/file-types.ts'
import { dayMs } from '../../contract/limits.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import { ImageRejected, resizedFileName, uncroppedFileName } from '../../platform/images/image-tasks.ts'
import { whileLeased } from '../../platform/while-leased.ts'
import { releaseBlobs } from './blob.queries.ts'
import { findFileRow } from './file.queries.ts'
import {
  type ClaimedFile,
  claimImage,
  failClaim,
  findNextDueAt,
  type ImagePass,
  releaseClaim,
  renewClaim,
  saveResizedImages,
} from './image-queue.queries.ts'
import { lockFiles } from './lock-files.ts'
import { originalKey, storeBlob, tryCollectGarbage } from './store-blob.ts'

/** Short, so that another worker soon takes over after a crash; renewed while the image is resized. */
const leaseMs = 30_000
/** After this many attempts an image is not retried automatically. */
const maxAttempts = 5
const retryMs = 60_000
/** The pause after a failure of the disk or the bucket, which does not count as an attempt. It is longer than `retryMs`. */
const outageMs = 10 * 60_000
/** For longer after the last change of the file such a failure counts as an attempt, because it may concern this file alone. */
const maxOutageMs = 7 * dayMs
/** The codes of errors of the disk or the bucket. `ENOENT` may be a disk that is not mounted. */
const outageCodes = [
  'storage_unavailable',
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE', 'ENOENT', 'ESTALE', 'ETIMEDOUT'],
]

type JobContext = Omit<Context, 'actor'>

/** Resizes the next image that is due for a pass, and stores a failure. @returns false when none is due */
export async function resizeNextImage(ctx: JobContext, pass: ImagePass, stopping: AbortSignal): Promise<boolean> {
  const { skipLocked } = ctx.dialect
  const claim = await claimImage(ctx.db, pass, { skipLocked, now: ctx.now(), leaseMs, longestPauseMs: outageMs })
  if (!claim) return false
  if (claim.attempt > maxAttempts) {
    // The process died during the last attempt, so that failure is stored only now.
    await failClaim(ctx.db, claim, undefined)
    ctx.log.warn({ file: claim.id, attempt: claim.attempt }, 'an image could not be resized')
    return true
  }
  const lease = {
    ms: leaseMs,
    renew: () => renewClaim(ctx.db, claim, ctx.now(), leaseMs),
    onFailure: (error: unknown) =>
      ctx.log.warn({ file: claim.id, err: error }, 'the claim on an image was not renewed'),
  }
  await whileLeased(lease, async () => {
    try {
      await resize(ctx, claim, pass)
      if (pass === 'all widths') ctx.log.info({ file: claim.id, attempt: claim.attempt }, 'image resized')
    } catch (error) {
      if (stopping.aborted) await releaseClaim(ctx.db, claim, ctx.now())
      else await handleFailure(ctx, claim, error)
    }
  })
  return true
}

/** When the next image that waits for a pass is due; undefined when none waits. */
export const nextImageDueAt = (ctx: Pick<Context, 'db'>, pass: ImagePass) => findNextDueAt(ctx.db, pass)

async function resize(ctx: JobContext, claim: ClaimedFile, pass: ImagePass): Promise<void> {
  const { storage, imageWorker, temporaryFiles } = ctx.uploads
  const { type, crop, frames, publicId } = claim
  const pixels = (claim.width ?? 0) * (claim.height ?? 0) * frames
  await temporaryFiles.withFolder(async (folder) => {
    const file = await storage.localFile(originalKey(claim.blobId), folder)
    const task = { file, folder, type, crop, animated: frames > 1, quick: pass === 'first width', pixels }
    const { width, height, placeholder, widths, totalBytes } = await imageWorker.resize(task)
    const fill = async (blobId: string) => {
      for (const resized of widths) {
        for (const extension of resized.types) {
          const name = resizedFileName(resized.width, extension)
          const contentType = imageTypesByExtension[extension] ?? 'application/octet-stream'
          await storage.put(`${blobId}/${name}`, join(folder, name), contentType)
        }
      }
      if (crop) await storage.put(`${blobId}/${uncroppedFileName}`, join(folder, uncroppedFileName), 'image/webp')
    }
    const images = { publicId, width, height, placeholder, cropped: crop !== null, widths }
    await storeBlob(ctx, { bytes: totalBytes, isUpload: false }, fill, async (tx, blobId) => {
      // Prevents a deadlock with deleting the file, which writes the same rows in another order.
      await lockFiles(tx, ctx)
      const before = await findFileRow(tx, claim.id)
      if (!(await saveResizedImages(tx, claim, { images, blobId, pass, now: ctx.now() }))) throw new FileChanged()
      await releaseBlobs(tx, [before?.resizedBlobId ?? null], ctx.now())
      await invalidate(tx, ['page'])
    })
  })
  await ctx.wake.invalidation()
  await tryCollectGarbage(ctx)
}

/** The file was changed or deleted while it was resized. */
class FileChanged extends Error {}

async function handleFailure(ctx: JobContext, claim: ClaimedFile, error: unknown): Promise<void> {
  const file = await findFileRow(ctx.db, claim.id)
  if (error instanceof FileChanged || file?.publicId !== claim.publicId) return tryCollectGarbage(ctx)
  const afterMs = (ms: number) => new Date(ctx.now().getTime() + ms)
  const isOutage =
    outageCodes.includes((error as { code?: string }).code ?? '') &&
    ctx.now().getTime() - Date.parse(claim.updatedAt) < maxOutageMs
  // An image that the decoder rejects will be rejected again; other failures may be temporary.
  const isFinal = error instanceof ImageRejected || (claim.attempt >= maxAttempts && !isOutage)
  if (isOutage) await releaseClaim(ctx.db, claim, afterMs(outageMs))
  else await failClaim(ctx.db, claim, isFinal ? undefined : afterMs(retryMs))
  const details = { file: claim.id, attempt: claim.attempt, err: error }
  if (isFinal) ctx.log.warn(details, 'an image could not be resized')
  else ctx.log.warn(details, 'an image is resized later')
}
