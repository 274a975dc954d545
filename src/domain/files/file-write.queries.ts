import type { FileKind } from '../../contract/file-types.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type FileRow, kindNumber } from './file.queries.ts'

/** The stored content of an upload, and what is known of it. */
export interface FileContent {
  kind: FileKind
  type: string
  bytes: number
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

const notQueued = { state: 'ready' as const, attempts: 0, due_at: null, queued_by: null, queue_turn: 0 }

/**
 * Puts a file at the end of the resize queue. Users take turns: the nth waiting image of each user gets the nth turn
 * from the one being served, so one user's many images do not delay another user's few.
 */
async function queuedColumns(tx: Transaction, queuedBy: number, now: Date) {
  const { first, own } = await tx
    .selectFrom('file')
    .where('state', '=', 'waiting')
    .select(({ fn }) => [
      fn.min<number | null>('queue_turn').as('first'),
      fn.max<number | null>('queue_turn').filterWhere('queued_by', '=', queuedBy).as('own'),
    ])
    .executeTakeFirstOrThrow()
  return {
    state: 'waiting' as const,
    attempts: 0,
    due_at: now.toISOString(),
    queued_by: queuedBy,
    queue_turn: own === null ? (first ?? 0) : own + 1,
  }
}

/** @param file.resizeFor the user whose queue turn it takes; undefined when no resized images are made */
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
      ...(file.resizeFor === undefined ? notQueued : await queuedColumns(tx, file.resizeFor, now)),
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

/** Replaces the content of a file. The resized images of the old content stay until the new ones are made. */
export async function updateFileContent(
  tx: Transaction,
  id: number,
  change: { name: string; publicId: string; content: FileContent; resizeFor: number | undefined },
  now: Date,
): Promise<void> {
  const queue =
    change.resizeFor === undefined
      ? { ...notQueued, resized_images: null, resized_blob_id: null }
      : await queuedColumns(tx, change.resizeFor, now)
  await tx
    .updateTable('file')
    .set((eb) => ({
      ...contentColumns(change.content),
      ...queue,
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

/** @param resizeFor the user whose queue turn it takes; undefined when the resized images stay */
export async function updateFileDetails(
  tx: Transaction,
  id: number,
  file: Pick<FileRow, 'name' | 'folder' | 'alt' | 'focal' | 'crop' | 'publicId'>,
  resizeFor: number | undefined,
  now: Date,
): Promise<void> {
  const queue = resizeFor === undefined ? {} : await queuedColumns(tx, resizeFor, now)
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
      ...queue,
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

function altColumns({ nl, fa, ...rest }: FileRow['alt']) {
  const others = Object.entries(rest)
    .filter(([, text]) => text !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    alt_nl: nl,
    alt_fa: fa,
    alt_other: JSON.stringify(Object.fromEntries(others)),
    alt_other_text: others.map(([, text]) => text).join(' '),
  }
}

export async function deleteFileRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('file').where('id', '=', id).execute()
}

export async function requeueImage(tx: Transaction, id: number, queuedBy: number, now: Date): Promise<void> {
  const queue = await queuedColumns(tx, queuedBy, now)
  await tx
    .updateTable('file')
    .set((eb) => ({ ...queue, version: eb('version', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', id)
    .execute()
}

/** Stores a public id of the file; it still finds the file after a later one replaced it. */
async function insertPublicId(tx: Transaction, publicId: string, fileId: number): Promise<void> {
  await tx
    .insertInto('file_public_id')
    .values({ public_id: publicId, file_id: fileId })
    .onConflict((conflict) => conflict.column('public_id').doUpdateSet({ file_id: fileId }))
    .execute()
}

/** Creates the folder when this is its first file. */
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
