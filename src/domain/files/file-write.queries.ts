import type { FileKind } from '../../contract/file-types.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type FileRow, kindNumber } from './file.queries.ts'

/** The content of an upload and its properties. */
export interface FileContent {
  kind: FileKind
  /** MIME type. */
  type: string
  bytes: number
  /** SHA-256 in hex. */
  contentHash: string
  blobId: string
  width: number | null
  height: number | null
  frames: number
  placeholder: string | null
  previewBytes: number | null
}

const contentColumns = (content: FileContent) => ({
  kind: kindNumber(content.kind),
  type: content.type,
  bytes: content.bytes,
  content_hash: content.contentHash,
  blob_id: content.blobId,
  width: content.width,
  height: content.height,
  frames: content.frames,
  placeholder: content.placeholder,
  preview_bytes: content.previewBytes,
})

const notQueuedColumns = { state: 'ready' as const, attempts: 0, due_at: null, queued_by: null, queue_turn: 0 }

/**
 * Returns the columns that put an image into the resize queue. Users take turns: the nth waiting image of each user
 * gets the nth turn from the current one, so one user's many images do not delay another user's few.
 */
async function queuedColumns(tx: Transaction, queuedBy: number, now: Date) {
  const { currentTurn, lastOwnTurn } = await tx
    .selectFrom('file')
    .where('state', '=', 'waiting')
    .select(({ fn }) => [
      fn.min<number | null>('queue_turn').as('currentTurn'),
      fn.max<number | null>('queue_turn').filterWhere('queued_by', '=', queuedBy).as('lastOwnTurn'),
    ])
    .executeTakeFirstOrThrow()
  return {
    state: 'waiting' as const,
    attempts: 0,
    due_at: now.toISOString(),
    queued_by: queuedBy,
    queue_turn: lastOwnTurn === null ? (currentTurn ?? 0) : lastOwnTurn + 1,
  }
}

/**
 * @param file.resizeFor the user in whose turn the image is resized; undefined for a file that is not resized
 * @returns the id
 */
export async function insertFile(
  tx: Transaction,
  file: {
    name: string
    folder: string
    publicId: string
    addedBy: { id: number; name: string }
    content: FileContent
    resizeFor: number | undefined
  },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const { id } = await tx
    .insertInto('file')
    .values({
      ...contentColumns(file.content),
      ...(file.resizeFor === undefined ? notQueuedColumns : await queuedColumns(tx, file.resizeFor, now)),
      name: file.name,
      ...(await folderColumns(tx, file.folder)),
      public_id: file.publicId,
      added_by: file.addedBy.name,
      added_by_id: file.addedBy.id,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertPublicId(tx, file.publicId, id)
  return id
}

/**
 * Replaces the content of a file, and resets crop and focal point. Resized images of the old content stay until the new
 * ones are made.
 */
export async function updateFileContent(
  tx: Transaction,
  id: number,
  change: { name: string; publicId: string; content: FileContent; resizeFor: number | undefined },
  now: Date,
): Promise<void> {
  const queueColumns =
    change.resizeFor === undefined
      ? { ...notQueuedColumns, resized_images: null, resized_blob_id: null }
      : await queuedColumns(tx, change.resizeFor, now)
  await tx
    .updateTable('file')
    .set((eb) => ({
      ...contentColumns(change.content),
      ...queueColumns,
      name: change.name,
      public_id: change.publicId,
      crop: null,
      focal_x: 50,
      focal_y: 50,
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
  await insertPublicId(tx, change.publicId, id)
}

/** @param resizeFor the user in whose turn the image is resized again; undefined when the crop did not change */
export async function updateFileDetails(
  tx: Transaction,
  id: number,
  file: Pick<FileRow, 'name' | 'folder' | 'alt' | 'focal' | 'crop' | 'publicId'>,
  resizeFor: number | undefined,
  now: Date,
): Promise<void> {
  const queueColumns = resizeFor === undefined ? {} : await queuedColumns(tx, resizeFor, now)
  const folder = await folderColumns(tx, file.folder)
  await tx
    .updateTable('file')
    .set((eb) => ({
      name: file.name,
      ...folder,
      ...altColumns(file.alt),
      focal_x: file.focal.x,
      focal_y: file.focal.y,
      crop: file.crop && JSON.stringify(file.crop),
      public_id: file.publicId,
      ...queueColumns,
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
  if (resizeFor !== undefined) await insertPublicId(tx, file.publicId, id)
}

export async function updateFileAlt(tx: Transaction, id: number, alt: FileRow['alt'], now: Date): Promise<void> {
  await tx
    .updateTable('file')
    .set((eb) => ({
      ...altColumns(alt),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
}

/** Dutch and Persian have columns of their own. `alt_other_text` is for the search. */
function altColumns({ nl, fa, ...rest }: FileRow['alt']) {
  const otherTexts = Object.entries(rest)
    .filter(([, text]) => text !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    alt_nl: nl,
    alt_fa: fa,
    alt_other: JSON.stringify(Object.fromEntries(otherTexts)),
    alt_other_text: otherTexts.map(([, text]) => text).join(' '),
  }
}

export async function deleteFileRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('file').where('id', '=', id).execute()
}

export async function requeueImage(tx: Transaction, id: number, queuedBy: number, now: Date): Promise<void> {
  const queueColumns = await queuedColumns(tx, queuedBy, now)
  await tx
    .updateTable('file')
    .set((eb) => ({ ...queueColumns, version: eb('version', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', id)
    .execute()
}

/** Stores a public id of the file, which finds the file also when a newer public id is the current one. */
async function insertPublicId(tx: Transaction, publicId: string, fileId: number): Promise<void> {
  await tx
    .insertInto('file_public_id')
    .values({ public_id: publicId, file_id: fileId })
    .onConflict((conflict) => conflict.column('public_id').doUpdateSet({ file_id: fileId }))
    .execute()
}

/** Returns the columns of a folder, which is created when this is its first file. @param name empty: no folder */
async function folderColumns(
  tx: Transaction,
  name: string,
): Promise<{ folder_id: number | null; folder_name: string }> {
  if (name === '') return { folder_id: null, folder_name: '' }
  await tx
    .insertInto('file_folder')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { id } = await tx.selectFrom('file_folder').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  return { folder_id: id, folder_name: name }
}
