import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { ResizedImages } from '../../contract/images.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables/index.ts'
import { type FileRow, findFileRow } from './file.queries.ts'

/** An image that one worker has claimed until its lease ends. Together with the id, `attempt` identifies the claim. */
export type ClaimedFile = FileRow & { attempt: number }

/** A large photo is resized in two passes, because all widths take many seconds: after the first one pages show it sharp. */
export type ImagePass = 'first width' | 'all widths'

/** The condition for images that wait for a pass. Small, cropped and animated images have no first pass. */
const waitsFor =
  (pass: ImagePass) =>
  (eb: ExpressionBuilder<Tables, 'file'>): Expression<SqlBool> => {
    const firstWidth = eb.and([
      eb('resized_images', 'is', null),
      eb('crop', 'is', null),
      eb('frames', '=', 1),
      eb(eb(eb.cast<number>('width', 'bigint'), '*', eb.ref('height')), '>', 2_000_000),
    ])
    // `coalesce`: without width and height, which only other kinds of files lack, the condition would be null.
    return eb.and([
      eb('state', '=', 'waiting'),
      pass === 'first width' ? firstWidth : eb.not(eb.fn.coalesce(firstWidth, sql<SqlBool>`false`)),
    ])
  }

/**
 * Claims the next image of the queue for `leaseMs`, so that no other worker gets it. An image that is due later than
 * `longestPauseMs` from now counts as due: its time was stored while the clock was ahead.
 * @returns undefined when none is due
 */
export async function claimImage(
  db: Database,
  pass: ImagePass,
  {
    skipLocked,
    now,
    leaseMs,
    longestPauseMs,
  }: { skipLocked: boolean; now: Date; leaseMs: number; longestPauseMs: number },
): Promise<ClaimedFile | undefined> {
  const claimed = await db
    .with(
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('file')
          .select('id')
          .where(waitsFor(pass))
          .where((eb) => eb.or([eb('due_at', '<=', now.toISOString()), eb('due_at', '>', addMs(now, longestPauseMs))]))
          .orderBy('queue_turn')
          .orderBy('due_at')
          .limit(1)
          .$if(skipLocked, (due) => due.forUpdate().skipLocked()),
    )
    .updateTable('file')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: addMs(now, leaseMs) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .returning(['id', 'attempts'])
    .executeTakeFirst()
  const row = claimed && (await findFileRow(db, claimed.id))
  return row && { ...row, attempt: claimed.attempts }
}

/** An update that changes nothing when another worker has claimed the image since, or the file changed. */
const updateClaimed = (db: Database, { id, publicId, attempt }: ClaimedFile) =>
  db
    .updateTable('file')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('public_id', '=', publicId)
    .where('attempts', '=', attempt)

/**
 * Extends a claim to `leaseMs` from now.
 * @returns false when another worker has claimed the image since, or the file changed
 */
export async function renewClaim(db: Database, claim: ClaimedFile, now: Date, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim)
    .set({ due_at: addMs(now, leaseMs) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores resized images; after the first width the image waits for the others.
 * @returns false when the file changed meanwhile
 */
export async function saveResizedImages(
  tx: Transaction,
  claim: ClaimedFile,
  resized: { images: ResizedImages; blobId: string; pass: ImagePass; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('file')
    .set({
      ...(resized.pass === 'all widths'
        ? { state: 'ready', due_at: null }
        : { attempts: 0, due_at: resized.now.toISOString() }),
      resized_images: JSON.stringify(resized.images),
      resized_blob_id: resized.blobId,
    })
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('public_id', '=', claim.publicId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a claim whose attempt failed. @param retryAt undefined: the image fails, and is only retried by staff */
export async function failClaim(db: Database, claim: ClaimedFile, retryAt: Date | undefined): Promise<void> {
  await updateClaimed(db, claim)
    .set(retryAt ? { due_at: retryAt.toISOString() } : { state: 'failed', due_at: null })
    .execute()
}

/** Returns an image to the queue, due at this time, as if it had not been claimed. */
export async function releaseClaim(db: Database, claim: ClaimedFile, dueAt: Date): Promise<void> {
  await updateClaimed(db, claim)
    .set((eb) => ({ due_at: dueAt.toISOString(), attempts: eb('attempts', '-', 1) }))
    .execute()
}

/** When the next image that waits for a pass is due; undefined when none waits. */
export async function findNextDueAt(db: Database, pass: ImagePass): Promise<Date | undefined> {
  const row = await db
    .selectFrom('file')
    .select(sql<string>`due_at`.as('dueAt'))
    .where(waitsFor(pass))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.dueAt)
}

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
