import { type FileKind, fileKinds } from '../../contract/file-types.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { FileRow } from './file.queries.ts'
import { folderColumns } from './folder.queries.ts'

/** What an upload brings. */
export interface Content {
  kind: FileKind
  type: string
  bytes: number
  hash: string
  blob: string
  width: number | null
  height: number | null
  frames: number
  placeholder: string | null
}

/** A content whose widths are to be made waits for it. */
const contentColumns = (content: Content, waits: boolean, now: Date) => ({
  kind: kindNumber(content.kind),
  type: content.type,
  bytes: content.bytes,
  hash: content.hash,
  blob: content.blob,
  width: content.width,
  height: content.height,
  frames: content.frames,
  placeholder: content.placeholder,
  ...waiting(waits, now),
})

/** @param waits whether its widths are to be made */
export const waiting = (waits: boolean, now: Date) => ({
  state: waits ? ('waiting' as const) : ('ready' as const),
  attempts: 0,
  due_at: waits ? now.toISOString() : null,
})

export const kindNumber = (kind: FileKind) => fileKinds.indexOf(kind) + 1

export async function insertFile(
  tx: Transaction,
  file: { name: string; folder: string; address: string; addedBy: string; content: Content; waits: boolean },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const { id } = await tx
    .insertInto('file')
    .values({
      ...contentColumns(file.content, file.waits, now),
      name: file.name,
      ...(await folderColumns(tx, file.folder)),
      address: file.address,
      added_by: file.addedBy,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertAddress(tx, file.address, id)
  return id
}

/** Another content under the same number. What was made of the one before stays until there is more. */
export async function updateContent(
  tx: Transaction,
  id: number,
  change: { name: string; address: string; content: Content; waits: boolean },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('file')
    .set((eb) => ({
      ...contentColumns(change.content, change.waits, now),
      name: change.name,
      address: change.address,
      crop: null,
      focal_x: 50,
      focal_y: 50,
      ...(!change.waits && { pictures: null, pictures_blob: null }),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
  await insertAddress(tx, change.address, id)
}

/** What people say of a file; with another `address` its widths are to be made anew. */
export async function updateFileRow(
  tx: Transaction,
  id: number,
  file: Pick<FileRow, 'name' | 'folder' | 'alt' | 'focal' | 'crop' | 'address'>,
  drawAnew: boolean,
  now: Date,
): Promise<void> {
  const folder = await folderColumns(tx, file.folder)
  await tx
    .updateTable('file')
    .set((eb) => ({
      name: file.name,
      ...folder,
      alt_nl: file.alt.nl,
      alt_fa: file.alt.fa,
      focal_x: file.focal.x,
      focal_y: file.focal.y,
      crop: file.crop && JSON.stringify(file.crop),
      address: file.address,
      ...(drawAnew && waiting(true, now)),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
  if (drawAnew) await insertAddress(tx, file.address, id)
}

export async function deleteFileRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('file').where('id', '=', id).execute()
}

export async function waitAgain(tx: Transaction, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('file')
    .set((eb) => ({ ...waiting(true, now), version: eb('version', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', id)
    .execute()
}

/** An address that the file had before is its own again. */
async function insertAddress(tx: Transaction, address: string, fileId: number): Promise<void> {
  await tx
    .insertInto('file_address')
    .values({ address, file_id: fileId })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ file_id: fileId }))
    .execute()
}
