import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type FileKind, fileKinds } from '../../contract/file-types.ts'
import type { CropArea, fileSorts, StoredFile } from '../../contract/files.ts'
import type { ResizedImages } from '../../contract/images.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { LongList } from '../../platform/db/long-list-sql.ts'

export interface FileRow {
  id: number
  name: string
  kind: FileKind
  type: string
  bytes: number
  /** SHA-256 of the stored original in hex. */
  contentHash: string
  /** The id in the file's public URL; it changes with content and crop. */
  publicId: string
  /** The blob (stored objects with one id) with the original and its preview. */
  blobId: string
  folder: string
  alt: StoredFile['alt']
  width: number | null
  height: number | null
  frames: number
  placeholder: string | null
  /** The size of the preview; null when there is none. */
  previewBytes: number | null
  crop: CropArea | null
  focal: StoredFile['focal']
  resizedImages: ResizedImages | null
  /** The blob with the resized images; null when there are none. */
  resizedBlobId: string | null
  state: StoredFile['state']
  addedBy: string
  version: number
  createdAt: string
  updatedAt: string
}

/** Files by their ids, in any order. */
export async function listFileRows(db: Db, ids: readonly number[]): Promise<FileRow[]> {
  if (ids.length === 0) return []
  return (await fileColumns(db).where('file.id', 'in', ids).execute()).map(toRow)
}

export async function findFileRow(db: Db, id: number): Promise<FileRow | undefined> {
  const row = await fileColumns(db).where('file.id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

export async function findFileRowByHash(db: Db, contentHash: string): Promise<FileRow | undefined> {
  const row = await fileColumns(db)
    .where('file.content_hash', '=', contentHash)
    .orderBy('file.id')
    .limit(1)
    .executeTakeFirst()
  return row && toRow(row)
}

/** The files that have or had these public ids, by these ids. */
export async function findFilesByPublicId(db: Db, publicIds: readonly string[]): Promise<Map<string, FileRow>> {
  if (publicIds.length === 0) return new Map()
  const rows = await fileColumns(db)
    .innerJoin('file_public_id', 'file_public_id.file_id', 'file.id')
    .select('file_public_id.public_id as found_by')
    .where('file_public_id.public_id', 'in', publicIds)
    .execute()
  return new Map(rows.map(({ found_by, ...row }) => [found_by, toRow(row)]))
}

const fileColumns = (db: Db) =>
  db
    .selectFrom('file')
    .select(['file.id', 'file.name', 'file.kind', 'file.type', 'file.bytes', 'file.content_hash as contentHash'])
    .select(['file.public_id as publicId', 'file.blob_id as blobId', 'file.folder_name as folder'])
    .select(['file.alt_nl', 'file.alt_fa', 'file.alt_other', 'file.width', 'file.height', 'file.frames'])
    .select(['file.placeholder', 'file.preview_bytes as previewBytes', 'file.crop', 'file.focal_x', 'file.focal_y'])
    .select(['file.resized_images as resizedImages', 'file.resized_blob_id as resizedBlobId', 'file.state'])
    .select([
      'file.added_by as addedBy',
      'file.version',
      'file.created_at as createdAt',
      'file.updated_at as updatedAt',
    ])

type SelectedFile = Awaited<ReturnType<ReturnType<typeof fileColumns>['execute']>>[number]

const toRow = ({ alt_nl, alt_fa, alt_other, focal_x, focal_y, ...row }: SelectedFile): FileRow => ({
  ...row,
  kind: fileKinds[row.kind - 1] ?? 'document',
  alt: { nl: alt_nl, fa: alt_fa, ...JSON.parse(alt_other) },
  crop: row.crop && JSON.parse(row.crop),
  focal: { x: focal_x, y: focal_y },
  resizedImages: row.resizedImages && JSON.parse(row.resizedImages),
})

/** Whether a file other than `fileId` has or had the public id. */
export async function isPublicIdTaken(tx: Transaction, publicId: string, fileId: number | undefined): Promise<boolean> {
  const row = await tx
    .selectFrom('file_public_id')
    .select('file_id')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row !== undefined && row.file_id !== fileId
}

/** Returns those of these public ids that no existing file has or had. */
export async function listUnknownPublicIds(db: Db, publicIds: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(publicIds)
  if (unknown.size === 0) return unknown
  const rows = await db.selectFrom('file_public_id').select('public_id').where('public_id', 'in', publicIds).execute()
  for (const { public_id } of rows) unknown.delete(public_id)
  return unknown
}

/** Every public id that the file has or had, in any order. */
export async function listPublicIds(db: Db, fileId: number): Promise<string[]> {
  const rows = await db.selectFrom('file_public_id').select('public_id').where('file_id', '=', fileId).execute()
  return rows.map(({ public_id }) => public_id)
}

export async function findFolderId(db: Database, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('file_folder').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id
}

/** Every folder with files, and their number, by name. */
export async function listFolders(db: Database): Promise<{ name: string; files: number }[]> {
  const rows = await db
    .selectFrom('file_folder')
    .innerJoin('file_count', 'file_count.folder_id', 'file_folder.id')
    .select(['file_folder.name', (eb) => eb.fn.sum<string | number>('file_count.counted').as('files')])
    .groupBy(['file_folder.id', 'file_folder.name'])
    .having((eb) => eb(eb.fn.sum('file_count.counted'), '>', 0))
    .orderBy('file_folder.name')
    .execute()
  return rows.map(({ name, files }) => ({ name, files: Number(files) }))
}

export interface FileListFilter {
  /** From `searchTerms`. */
  terms: string[]
  folderId: number | undefined
  kind: FileKind | undefined
  sort: (typeof fileSorts)[number]
  descending: boolean
}

/** For each sort order there is an index that also has id, folder and kind. */
const orders: Record<FileListFilter['sort'], RawBuilder<unknown>> = {
  createdAt: sql`created_at`,
  name: sql`search_text`,
  bytes: sql`bytes`,
}

export function fileList({ terms, folderId, kind, sort, descending }: FileListFilter): LongList {
  const filter: LongList['filter'] = (column) => [
    ...(folderId === undefined ? [] : [sql<SqlBool>`${column('folder_id')} = ${folderId}`]),
    ...(kind === undefined ? [] : [sql<SqlBool>`${column('kind')} = ${kindNumber(kind)}`]),
  ]
  return {
    table: 'file',
    terms,
    filter,
    filterColumns: ['folder_id', 'kind'],
    order: orders[sort],
    descending,
    countTable: 'file_count',
    scanLimits: [2_000],
  }
}

/** The number that the database stores for a kind; it begins at 1. */
export const kindNumber = (kind: FileKind) => fileKinds.indexOf(kind) + 1
