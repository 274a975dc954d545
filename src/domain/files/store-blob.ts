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

/** A blob is the set of objects that one upload or one resize stores; its id is the prefix of their keys. */
export const originalKey = (blobId: string) => `${blobId}/original`
export const previewKey = (blobId: string) => `${blobId}/preview.webp`

type QuotaContext = { uploads: Pick<Context['uploads'], 'quotaBytes'> }
type StoreContext = Pick<Context, 'transaction' | 'dialect' | 'now' | 'log'> & QuotaContext

/**
 * Stores a blob: reserves it, runs `fill`, then runs `commit` in the transaction that commits the blob. When that
 * fails, the blob is released, and the garbage collector deletes it, as after a crash.
 * @param blob.isUpload uploads are refused above the quota; resized images count too, but are never refused
 * @param fill stores the objects
 * @param commit stores in the database which file uses the blob
 * @throws {Refusal} `storage_full`
 */
export async function storeBlob<T>(
  ctx: StoreContext,
  blob: { bytes: number; isUpload: boolean },
  fill: (blobId: string) => Promise<void>,
  commit: (tx: Transaction, blobId: string) => Promise<T>,
): Promise<T> {
  const id = randomUUID()
  await ctx.transaction(async (tx) => {
    if (blob.isUpload) {
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
      .catch((releaseError) => ctx.log.warn({ err: releaseError }, 'a blob is left to the garbage collector'))
    throw error
  }
}

/**
 * Stores several blobs. `work` must commit them with `commitBlob` in its own transaction; those that it does not commit
 * are released.
 * @param work receives the ids in the order of `blobs`
 * @throws {Refusal} `storage_full`
 */
export async function storeBlobs<T>(
  ctx: StoreContext,
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
      .catch((releaseError) => ctx.log.warn({ err: releaseError }, 'blobs are left to the garbage collector'))
  }
}

/** @throws {Refusal} `storage_full` when this many more bytes exceed the quota */
export async function refuseAboveQuota({ uploads }: QuotaContext, db: Db, bytes: number): Promise<void> {
  const { quotaBytes } = uploads
  if (quotaBytes === undefined) return
  if ((await sumStoredBytes(db)) + bytes > quotaBytes) throw new Refusal('storage_full')
}

/** A warning is logged when this share of the quota is reached. */
const warningShare = 0.8

/** Logs a warning when these bytes, which were just reserved, reach `warningShare`. */
async function warnIfNearlyFull(
  { uploads, log }: Pick<Context, 'log'> & QuotaContext,
  tx: Transaction,
  addedBytes: number,
): Promise<void> {
  const { quotaBytes } = uploads
  if (quotaBytes === undefined) return
  const usedBytes = await sumStoredBytes(tx)
  const warnBytes = warningShare * quotaBytes
  if (usedBytes >= warnBytes && usedBytes - addedBytes < warnBytes) {
    log.warn({ usedBytes, quotaBytes }, 'the file storage is more than 80 % full')
  }
}

/** Longer than any upload takes: a blob that is reserved for longer was abandoned. */
const abandonedMs = 6 * 60 * 60_000
const batchSize = 100
/** After so many failures a run ends, because the storage itself may be unavailable. */
const maxFailures = 3

/**
 * Removes the released and the abandoned blobs from the storage. Blobs that cannot be removed are tried last in the next run.
 * @returns how many were removed
 * @throws the first error, after all other blobs were tried or after `maxFailures`
 */
export async function collectGarbage(
  ctx: Pick<Context, 'db' | 'transaction' | 'now' | 'uploads' | 'log'>,
): Promise<number> {
  const abandonedBefore = new Date(ctx.now().getTime() - abandonedMs)
  const errors: unknown[] = []
  let removed = 0
  for (;;) {
    const ids = await ctx.transaction((tx) => expireAndListReleasedBlobs(tx, abandonedBefore, batchSize))
    for (const id of ids) {
      try {
        await ctx.uploads.storage.remove(id)
      } catch (error) {
        errors.push(error)
        await deferRemoval(ctx.db, id, ctx.now()).catch((deferError) =>
          ctx.log.warn({ err: deferError }, 'a file that cannot be removed is the first in the next run again'),
        )
        if (errors.length === maxFailures) throw errors[0]
        continue
      }
      await deleteBlobRow(ctx.db, id)
      removed++
    }
    if (ids.length < batchSize) break
  }
  if (errors.length > 0) throw errors[0]
  return removed
}

/** `collectGarbage` immediately after a release; a failure is only logged, because the job collects again. */
export async function tryCollectGarbage(ctx: Parameters<typeof collectGarbage>[0]): Promise<void> {
  await collectGarbage(ctx).catch((error) => ctx.log.warn({ err: error }, 'the storage is cleaned later'))
}
