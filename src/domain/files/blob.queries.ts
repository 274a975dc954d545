import type { Database, Db, Transaction } from '../../platform/db/database.ts'

/** Records a blob before its objects are stored, so that the garbage collector finds them if this fails. */
export async function reserveBlob(tx: Transaction, blob: { id: string; bytes: number }, now: Date): Promise<void> {
  await tx
    .insertInto('stored_blob')
    .values({ id: blob.id, bytes: blob.bytes, state: 'reserved', at: now.toISOString() })
    .execute()
}

/** Marks a reserved blob as used by a file. @returns false when it is not reserved any more, because it took too long */
export async function commitBlob(tx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_blob')
    .set({ state: 'committed' })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks blobs as unused, for the garbage collector; null is ignored. */
export async function releaseBlobs(tx: Transaction, ids: readonly (string | null)[], now: Date): Promise<void> {
  const present = ids.filter((id) => id !== null)
  if (present.length === 0) return
  await tx
    .updateTable('stored_blob')
    .set({ state: 'released', at: now.toISOString() })
    .where('id', 'in', present)
    .execute()
}

/** Marks those of the blobs as unused that were not committed. */
export async function releaseReservedBlobs(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('stored_blob')
    .set({ state: 'released' })
    .where('id', 'in', ids)
    .where('state', '=', 'reserved')
    .execute()
}

/** Releases blobs that were reserved before `abandonedBefore`. @returns at most `limit` released blobs, the oldest first */
export async function expireAndListReleasedBlobs(
  tx: Transaction,
  abandonedBefore: Date,
  limit: number,
): Promise<string[]> {
  await tx
    .updateTable('stored_blob')
    .set({ state: 'released' })
    .where('state', '=', 'reserved')
    .where('at', '<', abandonedBefore.toISOString())
    .execute()
  const rows = await tx
    .selectFrom('stored_blob')
    .select('id')
    .where('state', '=', 'released')
    .orderBy('at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes a released blob the last one in the next collection. */
export async function deferRemoval(db: Database, id: string, now: Date): Promise<void> {
  await db.updateTable('stored_blob').set({ at: now.toISOString() }).where('id', '=', id).execute()
}

export async function deleteBlobRow(db: Database, id: string): Promise<void> {
  await db.deleteFrom('stored_blob').where('id', '=', id).where('state', '=', 'released').execute()
}

/** The total size of all blobs that are committed or reserved. */
export async function sumStoredBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('stored_blob')
    .where('state', '<>', 'released')
    .select(({ fn }) => fn.sum<string | number | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes)
}
