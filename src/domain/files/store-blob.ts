import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import {
  commitBlob,
  deferRemoval,
  deleteBlobRow,
  expireAndListReleasedBlobs,
  releaseReservedBlobs,
  reserveBlob,
  sumStoredBytes,
} from './blob.queries.ts'
import { lockFiles } from './lock-files.ts'

/** A blob is what one upload or one resize stores: objects that share a key prefix. */
export const originalKey = (blobId: string) => `${blobId}/original`
export const previewKey = (blobId: string) => `${blobId}/preview.webp`

type Quota = { uploads: Pick<Context['uploads'], 'quotaBytes'> }
type Ctx = Pick<Context, 'transaction' | 'dialect' | 'now' | 'log'> & Quota

/**
 * Stores a blob, then runs `commit`, which records in one transaction which file uses it. When that fails the blob is
 * released, and the garbage collector deletes it, as it does after a crash.
 * @param blob.upload is refused above the quota; resized images count too, and are stored anyway
 * @param fill stores the objects
 * @throws {Refusal} `storage_full`
 */
export async function storeBlob<T>(
  ctx: Ctx,
  blob: { bytes: number; upload: boolean },
  fill: (blobId: string) => Promise<void>,
  commit: (tx: Transaction, blobId: string) => Promise<T>,
): Promise<T> {
  const id = randomUUID()
  await ctx.transaction(async (tx) => {
    if (blob.upload) {
      // On PostgreSQL two concurrent uploads would otherwise both pass the quota check.
      await lockFiles(tx, ctx)
      await refuseAboveQuota(ctx, tx, blob.bytes)
    }
    await reserveBlob(tx, { id, bytes: blob.bytes }, ctx.now())
    await warnIfNearlyFull(ctx, tx, blob.bytes)
  })
  try {
    await fill(id)
    return await ctx.transaction(async (tx) => {
      const result = await commit(tx, id)
      if (!(await commitBlob(tx, id))) throw new Error('storing took longer than the garbage collector waits')
      return result
    })
  } catch (error) {
    await ctx
      .transaction((tx) => releaseReservedBlobs(tx, [id]))
      .catch((failed) => ctx.log.warn({ err: failed }, 'a blob is left to the garbage collector'))
    throw error
  }
}

/**
 * Stores several blobs, which `work` commits in a transaction of its own with `commitBlob`. Those that it does not commit
 * are released.
 * @throws {Refusal} `storage_full`
 */
export async function storeBlobs<T>(
  ctx: Ctx,
  blobs: readonly { bytes: number; fill: (blobId: string) => Promise<void> }[],
  work: (blobIds: string[]) => Promise<T>,
): Promise<T> {
  if (blobs.length === 0) return work([])
  const reserved = blobs.map((blob) => ({ ...blob, id: randomUUID() }))
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0)
  await ctx.transaction(async (tx) => {
    await lockFiles(tx, ctx)
    await refuseAboveQuota(ctx, tx, bytes)
    for (const blob of reserved) await reserveBlob(tx, blob, ctx.now())
    await warnIfNearlyFull(ctx, tx, bytes)
  })
  const ids = reserved.map(({ id }) => id)
  try {
    for (const { id, fill } of reserved) await fill(id)
    return await work(ids)
  } finally {
    await ctx
      .transaction((tx) => releaseReservedBlobs(tx, ids))
      .catch((failed) => ctx.log.warn({ err: failed }, 'blobs are left to the garbage collector'))
  }
}

/** @throws {Refusal} `storage_full` when this many more bytes do not fit */
export async function refuseAboveQuota({ uploads }: Quota, db: Db, bytes: number): Promise<void> {
  const { quotaBytes } = uploads
  if (quotaBytes === undefined) return
  if ((await sumStoredBytes(db)) + bytes > quotaBytes) throw new Refusal('storage_full')
}

/** A warning is logged above this share of the quota. */
const nearlyFull = 0.8

/** @param addedBytes of the blob that was just reserved */
async function warnIfNearlyFull(
  { uploads, log }: Pick<Context, 'log'> & Quota,
  tx: Transaction,
  addedBytes: number,
): Promise<void> {
  const { quotaBytes } = uploads
  if (quotaBytes === undefined) return
  const usedBytes = await sumStoredBytes(tx)
  const warnAt = nearlyFull * quotaBytes
  if (usedBytes >= warnAt && usedBytes - addedBytes < warnAt) {
    log.warn({ usedBytes, quotaBytes }, 'the file storage is more than 80 % full')
  }
}

/** Longer than any upload takes: a blob reserved before that was abandoned. */
const abandonedMs = 6 * 60 * 60_000
const batch = 100
/** When so many blobs of one run cannot be removed, the storage itself may fail. */
const mostFailures = 3

/**
 * Removes the released and the abandoned blobs from the storage. Those that cannot be removed are the last in the next run.
 * @returns how many were removed
 * @throws the error of the first that could not be removed, after the others or after `mostFailures`
 */
export async function collectGarbage(
  ctx: Pick<Context, 'db' | 'transaction' | 'now' | 'uploads' | 'log'>,
): Promise<number> {
  const abandonedBefore = new Date(ctx.now().getTime() - abandonedMs)
  const errors: unknown[] = []
  let removed = 0
  for (;;) {
    const ids = await ctx.transaction((tx) => expireAndListReleasedBlobs(tx, abandonedBefore, batch))
    for (const id of ids) {
      try {
        await ctx.uploads.storage.remove(id)
      } catch (error) {
        errors.push(error)
        await deferRemoval(ctx.db, id, ctx.now()).catch((failed) =>
          ctx.log.warn({ err: failed }, 'a file that cannot be removed is the first in the next run again'),
        )
        if (errors.length === mostFailures) throw errors[0]
        continue
      }
      await deleteBlobRow(ctx.db, id)
      removed++
    }
    if (ids.length < batch) break
  }
  if (errors.length > 0) throw errors[0]
  return removed
}

/** Runs right after a release; a failure is left to the next scheduled collection. */
export async function tryCollectGarbage(ctx: Parameters<typeof collectGarbage>[0]): Promise<void> {
  await collectGarbage(ctx).catch((error) => ctx.log.warn({ err: error }, 'the storage is cleaned later'))
}
