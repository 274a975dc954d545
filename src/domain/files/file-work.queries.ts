import { sql } from 'kysely'
import type { MadePictures } from '../../contract/pictures.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { type FileRow, findFileRow } from './file.queries.ts'

/** A file whose widths one worker makes, until its lease ends. `attempt` tells this claim from a later one. */
export type ClaimedFile = FileRow & { attempt: number }

/** Takes the file that has waited longest; two workers never get the same one. */
export async function claimFile(
  db: Database,
  skipLocked: boolean,
  now: Date,
  leaseMs: number,
): Promise<ClaimedFile | undefined> {
  const claimed = await db
    .with(
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('file')
          .select('id')
          .where('state', '=', 'waiting')
          .where('due_at', '<=', now.toISOString())
          .orderBy('due_at')
          .limit(1)
          .$if(skipLocked, (due) => due.forUpdate().skipLocked()),
    )
    .updateTable('file')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), due_at: later(now, leaseMs) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .returning(['id', 'attempts'])
    .executeTakeFirst()
  const row = claimed && (await findFileRow(db, claimed.id))
  return row && { ...row, attempt: claimed.attempts }
}

/** Keeps a claim; false when it is somebody else's, or the file another. */
export async function renewClaim(db: Database, claim: ClaimedFile, now: Date, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set({ due_at: later(now, leaseMs) })
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('address', '=', claim.address)
    .where('attempts', '=', claim.attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The widths are there. False when the file has become another meanwhile, or is gone. */
export async function settleMade(
  tx: Transaction,
  claim: ClaimedFile,
  made: { pictures: MadePictures; blob: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('file')
    .set({ state: 'ready', due_at: null, pictures: JSON.stringify(made.pictures), pictures_blob: made.blob })
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('address', '=', claim.address)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The widths could not be made: once more later, or never. */
export async function settleUnmade(db: Database, claim: ClaimedFile, again: Date | undefined): Promise<void> {
  await db
    .updateTable('file')
    .set(again ? { due_at: again.toISOString() } : { state: 'failed', due_at: null })
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('address', '=', claim.address)
    .where('attempts', '=', claim.attempt)
    .execute()
}

/** Gives a claim back untouched. */
export async function releaseClaim(db: Database, claim: ClaimedFile, now: Date): Promise<void> {
  await db
    .updateTable('file')
    .set((eb) => ({ due_at: now.toISOString(), attempts: eb('attempts', '-', 1) }))
    .where('id', '=', claim.id)
    .where('state', '=', 'waiting')
    .where('address', '=', claim.address)
    .where('attempts', '=', claim.attempt)
    .execute()
}

/** When the next file is due; undefined when none waits. */
export async function nextFileAt(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('file')
    .select(sql<string>`due_at`.as('due'))
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.due)
}

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
