import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { ResizedImages } from '../../contract/images.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables/index.ts'
import { type FileRow, findFileRow } from './file.queries.ts'

/** An image that one worker resizes until its lease ends. `attempt` tells this claim from a later one. */
export type ClaimedFile = FileRow & { attempt: number }

/** A large photo takes many seconds in all widths; in one width it is soon sharp on pages. */
export type ImagePass = 'first width' | 'all widths'

/** The images that wait for a pass. One with fewer pixels is resized to all widths at once. */
const waitsFor =
  (pass: ImagePass) =>
  (eb: ExpressionBuilder<Tables, 'file'>): Expression<SqlBool> => {
    const firstWidth = eb.and([
      eb('resized_images', 'is', null),
      eb('crop', 'is', null),
      eb('frames', '=', 1),
      eb(eb(eb.cast<number>('width', 'bigint'), '*', eb.ref('height')), '>', 2_000_000),
    ])
    // Without the size, which only other kinds of files lack, the condition would be null.
    return eb.and([
      eb('state', '=', 'waiting'),
      pass === 'first width' ? firstWidth : eb.not(eb.fn.coalesce(firstWidth, sql<SqlBool>`false`)),
    ])
  }

/**
 * Claims the next image of the queue; two workers never get the same one. An image that would wait longer than any pause got its
 * time while the clock was ahead, and is due.
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

/** Changes nothing when another worker has the claim by now, or the file changed. */
const updateClaimed = (db: Database, { id, publicId, attempt }: ClaimedFile) =>
  db
    .updateTable('file')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('public_id', '=', publicId)
    .where('attempts', '=', attempt)

/** False when another worker has the claim by now, or the file changed. */
export async function renewClaim(db: Database, claim: ClaimedFile, now: Date, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await updateClaimed(db, claim)
    .set({ due_at: addMs(now, leaseMs) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends the claim: after the first width the image waits for the others.
 * @returns false when the file changed meanwhile, or is deleted
 */
export async function saveResizedImages(
  tx: Transaction,
  claim: ClaimedFile,
  made: { images: ResizedImages; blobId: string; pass: ImagePass; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('file')
    .set({
      ...(made.pass === 'all widths'
        ? { state: 'ready', due_at: null }
        : { attempts: 0, due_at: made.now.toISOString() }),
      resized_images: JSON.stringify(made.images),
      resized_blob_id: made.blobId,
    })
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('public_id', '=', claim.publicId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @param retryAt undefined: the image is not tried again by itself */
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

/** Undefined when none waits. */
export async function findNextDueAt(db: Database, pass: ImagePass): Promise<Date | undefined> {
  const row = await db
    .selectFrom('file')
    .select(sql<string>`due_at`.as('due'))
    .where(waitsFor(pass))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.due)
}

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
