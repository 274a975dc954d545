import { createWriteStream } from 'node:fs'
import { mkdtemp, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RestoreOneProblem } from '../../contract/backups.ts'
import { reasonText } from '../../i18n/reason.ts'
import { type ItemHandler, readArchive } from '../../platform/archive/archive.ts'
import { type BackupTarget, folderTarget } from '../../platform/archive/backup-target.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Database, isDiskFull, type Transaction } from '../../platform/db/database.ts'
import type { TableColumns } from '../../platform/db/dialect/database-copy.ts'
import { erasedSubject, type JournalEntry, readJournal } from '../../platform/db/restore-journal.ts'
import { commitBlob } from '../files/blob.queries.ts'
import { findUserRow } from '../users/user.queries.ts'
import { insertRows } from './backup.queries.ts'
import { isAnonymised, type StoredRow } from './backup-rows.queries.ts'
import { readBlobFile } from './blob-files.ts'
import { type CheckedBackup, checkBackup } from './check-backup.ts'
import { items, siteIdOf } from './contents.ts'
import { readJournalAt } from './journal.ts'
import { findMissingSpace, openCopy, restoreToTemporaryCopy, spaceToRestore } from './restore-to-temporary-copy.ts'

/** Nothing was restored; the message says why in English, for the operator. */
export class NotRestored extends Error {
  readonly problem: RestoreOneProblem

  constructor(problem: RestoreOneProblem, reason: string) {
    super(`${reason} Nothing was changed.`)
    this.name = 'NotRestored'
    this.problem = problem
  }
}

/** Dependencies for reading a backup and restoring a message or page of it. A command has no actor. */
export type OpenBackupContext = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'site' | 'secret' | 'log'> & {
  actor?: Context['actor']
  uploads: Pick<Context['uploads'], 'storage' | 'quotaBytes' | 'temporaryFiles' | 'maxPixels' | 'imageWorker'>
}

/** A backup that is restored into a temporary copy, which is open. */
export interface OpenBackup {
  path: string
  identity: string
  /** Has the journal and the blob files next to the archive. */
  target: BackupTarget
  signal?: AbortSignal | undefined
  header: CheckedBackup['header']
  blobFiles: CheckedBackup['blobFiles']
  db: Database
  /** The columns that a table has in the copy; none if there is no such table. */
  table<Name extends string>(name: Name): TableColumns & { name: Name }
  /** A folder for extracted files; it is removed with the copy. */
  folder: string
  /** Erased people and deleted users, from the journal next to the archive; empty if there is none. */
  journal: readonly JournalEntry[]
}

/**
 * Restores a backup of this site into a temporary SQLite database with today's tables, which is removed after `work`.
 * The site keeps running.
 * @param from.target has the journal and blob files of the archive; the folder of `path` if it is left out
 * @throws {UnusableArchive}; {NotRestored} `otherSite`, `noRoom`
 */
export async function withOpenBackup<T>(
  ctx: OpenBackupContext,
  from: { path: string; identity: string; target?: BackupTarget; signal?: AbortSignal | undefined },
  work: (backup: OpenBackup) => Promise<T>,
): Promise<T> {
  const { path, identity, target = folderTarget(dirname(path)), signal } = from
  const backup = await checkBackup(path, identity, signal)
  const { header } = backup
  if (header.siteId !== siteIdOf(ctx.secret)) {
    throw new NotRestored(
      'otherSite',
      `${path} is a backup of another site, ${header.site}, or was made with another secret.`,
    )
  }
  const journal = await readJournalAt(target, identity, header.siteId)
  return ctx.uploads.temporaryFiles.withFolder(async (folder) => {
    await requireSpace(folder, spaceToRestore((await stat(path)).size))
    const dataDir = join(folder, 'site')
    // Erased rows stay in the copy, so that `erased` is reported instead of `notInBackup`.
    const source = { path, identity, backup, journal: undefined, ...(signal && { signal }) }
    const restoreAndOpen = async () => {
      await restoreToTemporaryCopy(ctx, source, dataDir)
      signal?.throwIfAborted()
      return openCopy(dataDir)
    }
    const { db, dialect } = await restoreAndOpen().catch((error) => {
      // Despite `requireSpace`: something else filled the disk, or the database became larger than estimated.
      throw isDiskFull(error) ? new NotRestored('noRoom', `In ${folder} the disk became full.`) : error
    })
    try {
      const tables = new Map((await dialect.copy.listTables(db)).map((table) => [table.name, table]))
      return await work({
        ...{ path, identity, target, signal, header, blobFiles: backup.blobFiles, db, folder },
        table: (name) => ({ name, columns: tables.get(name)?.columns ?? [] }),
        journal: journal?.entries ?? [],
      })
    } finally {
      await db.destroy()
    }
  })
}

/** @throws {NotRestored} `noRoom` */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const missingSpace = await findMissingSpace(folder, bytes)
  if (missingSpace !== undefined) {
    throw new NotRestored('noRoom', `In ${folder} ${reasonText(missingSpace, 'en')}.`)
  }
}

/** @param db the site's database @returns whether a person was erased since a row, by the journals of site and backup */
export async function createErasedCheck(
  ctx: Pick<Context, 'secret'>,
  db: Db,
  { journal }: OpenBackup,
): Promise<ErasedCheck> {
  const entries = [...(await readJournal(db)), ...journal].filter(({ kind }) => kind === 'erased')
  const erasedAt = new Map<string, string>()
  for (const { subject, at } of entries) if (at > (erasedAt.get(subject) ?? '')) erasedAt.set(subject, at)
  return ({ email, createdAt }) => (erasedAt.get(erasedSubject(ctx.secret, email.toLowerCase())) ?? '') >= createdAt
}

export type ErasedCheck = (row: { email: string; createdAt: string }) => boolean

/** Returns a row with `#id` instead of the name of an author who was erased since. @param author the columns of id and name */
export async function withoutErasedAuthor(
  ctx: { db: Db; backup: OpenBackup; isErased: ErasedCheck },
  row: StoredRow,
  author: { id: string; name: string },
): Promise<StoredRow> {
  const id = row[author.id]
  if (typeof id !== 'number') return row
  const user = await findUserRow(ctx.backup.db, id)
  const isErased = user !== undefined && ctx.isErased({ email: user.email, createdAt: String(row.created_at) })
  return isErased || (await isAnonymised(ctx.db, id)) ? { ...row, [author.name]: `#${id}` } : row
}

/** A blob whose objects were read from a backup into temporary files. */
export interface ExtractedBlob {
  /** `name` is that of the object in its blob, such as `original`; `path` is its temporary file. */
  objects: { name: string; path: string; bytes: number }[]
  type: string
}

/**
 * Reads the objects of some blobs into temporary files.
 * @returns one for each blob, in their order; without objects if the backup lacks the blob, or its blob file is missing
 * or damaged
 * @throws {NotRestored} `noRoom`; {UnusableArchive} when the archive itself cannot be read
 */
export async function extractBlobs(
  backup: Pick<OpenBackup, 'path' | 'identity' | 'target' | 'signal' | 'blobFiles' | 'folder'>,
  blobs: readonly { blobId: string; type: string }[],
): Promise<ExtractedBlob[]> {
  const { path, identity, target, signal, blobFiles, folder } = backup
  const objectsByBlob = new Map(blobs.map(({ blobId }) => [blobId, [] as ExtractedBlob['objects']]))
  if (objectsByBlob.size > 0) {
    const extractFolder = await mkdtemp(join(folder, 'files-'))
    const extract: ItemHandler = async (name, content) => {
      if (!name.startsWith(items.file(''))) return
      const [blobId = '', object = ''] = name.slice(items.file('').length).split('/')
      const objects = objectsByBlob.get(blobId)
      if (!objects) return
      const objectPath = join(extractFolder, `${blobId}-${object}`)
      await pipeline(Readable.from(content), createWriteStream(objectPath, { mode: 0o600, flags: 'wx' }))
      objects.push({ name: object, path: objectPath, bytes: (await stat(objectPath)).size })
    }
    const source = { target, identity, ...(signal && { signal }) }
    const blobsWithFile = [...objectsByBlob.keys()].map((blobId) => ({ blobId, file: blobFiles?.blobs[blobId] }))
    const fileItems = blobsWithFile.flatMap(({ file }) => file?.items ?? [])
    await requireSpace(
      folder,
      fileItems.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const { blobId, file } of blobsWithFile) {
      if (!file) continue
      await readBlobFile(source, blobFiles?.folder ?? '', file, extract).catch((error) => {
        if (!(error instanceof UnusableArchive)) throw error
        objectsByBlob.set(blobId, [])
      })
    }
    // A blob without a blob file may be in the archive itself.
    if (blobsWithFile.some(({ file }) => !file)) await readArchive(path, identity, extract, signal)
  }
  return blobs.map(({ blobId, type }) => ({ objects: objectsByBlob.get(blobId) ?? [], type }))
}

/**
 * The input of `storeBlobs` that stores these objects under the new blob's id. The only one besides the original is the
 * preview, a WebP.
 */
export const toBlobInput = ({ uploads }: Pick<OpenBackupContext, 'uploads'>, { objects, type }: ExtractedBlob) => ({
  bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
  async fill(blobId: string) {
    for (const { name, path } of objects) {
      await uploads.storage.put(`${blobId}/${name}`, path, name === 'original' ? type : 'image/webp')
    }
  },
})

/** Commits a blob together with the rows that refer to it. @throws when garbage collection removed it meanwhile */
export async function commitStoredBlob(tx: Transaction, id: string): Promise<void> {
  if (!(await commitBlob(tx, id))) throw new Error('storing took longer than the garbage collector waits')
}

/** The table without its `id` column, so that inserted rows get new ids. */
export const withoutId = <Table extends TableColumns>(table: Table): Table => ({
  ...table,
  columns: table.columns.filter((column) => column !== 'id'),
})

/** Inserts rows of a backup; a column that a row lacks becomes null. */
export const insertStoredRows = (
  tx: Transaction,
  ctx: Pick<Context, 'dialect'>,
  table: TableColumns,
  rows: readonly StoredRow[],
): Promise<void> =>
  insertRows(
    tx,
    ctx,
    table,
    rows.map((row) => table.columns.map((column) => row[column] ?? null)),
  )
