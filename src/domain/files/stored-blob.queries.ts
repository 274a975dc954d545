import type { Database, Transaction } from '../../platform/db/database.ts'

/** Tells of a folder of the storage before anything is put in it. */
export async function announceBlob(tx: Transaction, blob: string, now: Date): Promise<void> {
  await tx.insertInto('stored_blob').values({ blob, state: 'arriving', at: now.toISOString() }).execute()
}

/** A file rests on it from now on. False when it was taken for forgotten meanwhile. */
export async function keepBlob(tx: Transaction, blob: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_blob')
    .set({ state: 'kept' })
    .where('blob', '=', blob)
    .where('state', '=', 'arriving')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing rests on them any more. */
export async function leaveBlobs(tx: Transaction, blobs: readonly (string | null)[], now: Date): Promise<void> {
  const named = blobs.filter((blob) => blob !== null)
  if (named.length === 0) return
  await tx
    .updateTable('stored_blob')
    .set({ state: 'leaving', at: now.toISOString() })
    .where('blob', 'in', named)
    .execute()
}

/** Those that nothing rests on: left, or announced long ago and never kept; these become left, so that nobody keeps them. */
export async function findLeftBlobs(
  tx: Transaction,
  before: { arriving: Date; leaving: Date },
  limit: number,
): Promise<string[]> {
  await tx
    .updateTable('stored_blob')
    .set({ state: 'leaving' })
    .where('state', '=', 'arriving')
    .where('at', '<', before.arriving.toISOString())
    .execute()
  const rows = await tx
    .selectFrom('stored_blob')
    .select('blob')
    .where('state', '=', 'leaving')
    .where('at', '<=', before.leaving.toISOString())
    .orderBy('at')
    .limit(limit)
    .execute()
  return rows.map(({ blob }) => blob)
}

export async function forgetBlob(db: Database, blob: string): Promise<void> {
  await db.deleteFrom('stored_blob').where('blob', '=', blob).where('state', '=', 'leaving').execute()
}
