import { type FileKind, fileKinds } from '../../contract/file-types.ts'
import type { Area, StoredFile } from '../../contract/files.ts'
import type { MadePictures } from '../../contract/pictures.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** A file as the tables have it. */
export interface FileRow {
  id: number
  name: string
  kind: FileKind
  type: string
  bytes: number
  hash: string
  address: string
  /** Folder of the storage with the content. */
  blob: string
  folder: string
  alt: StoredFile['alt']
  width: number | null
  height: number | null
  frames: number
  placeholder: string | null
  crop: Area | null
  focal: StoredFile['focal']
  pictures: MadePictures | null
  picturesBlob: string | null
  state: StoredFile['state']
  addedBy: string
  version: number
  createdAt: string
  updatedAt: string
}

export type Db = Database | Transaction

/** Files by their ids, in any order. */
export async function findFileRows(db: Db, ids: readonly number[]): Promise<FileRow[]> {
  if (ids.length === 0) return []
  return (await selected(db).where('file.id', 'in', ids).execute()).map(toRow)
}

export async function findFileRow(db: Db, id: number): Promise<FileRow | undefined> {
  const row = await selected(db).where('file.id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

/** The file that today has exactly this content, uncropped. */
export async function findFileRowByHash(db: Db, hash: string): Promise<FileRow | undefined> {
  const row = await selected(db).where('file.hash', '=', hash).orderBy('file.id').limit(1).executeTakeFirst()
  return row && toRow(row)
}

/** The files that have these addresses, or once had them. */
export async function findFilesAt(db: Db, addresses: readonly string[]): Promise<Map<string, FileRow>> {
  if (addresses.length === 0) return new Map()
  const rows = await selected(db)
    .innerJoin('file_address', 'file_address.file_id', 'file.id')
    .select('file_address.address as at')
    .where('file_address.address', 'in', addresses)
    .execute()
  return new Map(rows.map((row) => [row.at, toRow(row)]))
}

const selected = (db: Db) =>
  db
    .selectFrom('file')
    .select([
      'file.id',
      'file.name',
      'file.kind',
      'file.type',
      'file.bytes',
      'file.hash',
      'file.address',
      'file.blob',
      'file.folder_name',
      'file.alt_nl',
      'file.alt_fa',
      'file.width',
      'file.height',
      'file.frames',
      'file.placeholder',
      'file.crop',
      'file.focal_x',
      'file.focal_y',
      'file.pictures',
      'file.pictures_blob',
      'file.state',
      'file.added_by',
      'file.version',
      'file.created_at',
      'file.updated_at',
    ])

type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]

const toRow = (row: Selected): FileRow => ({
  id: row.id,
  name: row.name,
  kind: fileKinds[row.kind - 1] ?? 'document',
  type: row.type,
  bytes: row.bytes,
  hash: row.hash,
  address: row.address,
  blob: row.blob,
  folder: row.folder_name,
  alt: { nl: row.alt_nl, fa: row.alt_fa },
  width: row.width,
  height: row.height,
  frames: row.frames,
  placeholder: row.placeholder,
  crop: row.crop && JSON.parse(row.crop),
  focal: { x: row.focal_x, y: row.focal_y },
  pictures: row.pictures && JSON.parse(row.pictures),
  picturesBlob: row.pictures_blob,
  state: row.state,
  addedBy: row.added_by,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Whether another file has the address, or had it. */
export async function isAddressOfAnother(
  tx: Transaction,
  address: string,
  fileId: number | undefined,
): Promise<boolean> {
  const row = await tx.selectFrom('file_address').select('file_id').where('address', '=', address).executeTakeFirst()
  return row !== undefined && row.file_id !== fileId
}

/** Those of these addresses that no file has, or had. */
export async function listGone(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const gone = new Set(addresses)
  if (gone.size === 0) return gone
  const rows = await db.selectFrom('file_address').select('address').where('address', 'in', addresses).execute()
  for (const { address } of rows) gone.delete(address)
  return gone
}

/** Every address that the file has had. */
export async function listAddresses(db: Db, fileId: number): Promise<string[]> {
  const rows = await db.selectFrom('file_address').select('address').where('file_id', '=', fileId).execute()
  return rows.map(({ address }) => address)
}
