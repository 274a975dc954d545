import { createWriteStream } from 'node:fs'
import { mkdtemp, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TakeOutProblem } from '../../contract/backups.ts'
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
import { readBlobFile } from './blob-files.ts'
import { type CheckedBackup, checkBackup } from './check-backup.ts'
import { items, siteIdOf } from './contents.ts'
import { readJournalAt } from './journal.ts'
import { findMissingSpace, openCopy, restoreToTemporaryCopy, spaceToRestore } from './restore-to-temporary-copy.ts'
import { isAnonymised, type StoredRow } from './take-out.queries.ts'

/** Nothing was taken out; the message says why, for the operator. */
export class NotTaken extends Error {
  readonly problem: TakeOutProblem

  constructor(problem: TakeOutProblem, reason: string) {
    super(`${reason} Nothing was changed.`)
    this.name = 'NotTaken'
    this.problem = problem
  }
}

/** The dependencies of taking something out of a backup, in a server or in a command, which has no actor. */
export type TakeOutContext = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'site' | 'secret' | 'log'> & {
  actor?: Context['actor']
  uploads: Pick<Context['uploads'], 'storage' | 'quotaBytes' | 'temporaryFiles' | 'maxPixels' | 'imageWorker'>
}

/** A backup that is restored aside for a while. */
export interface OpenBackup {
  path: string
  identity: string
  /** Where the files beside the archive are. */
  target: BackupTarget
  signal?: AbortSignal | undefined
  header: CheckedBackup['header']
  blobFiles: CheckedBackup['blobFiles']
  db: Database
  /** A table with its stored columns. */
  table<Name extends string>(name: Name): TableColumns & { name: Name }
  /** A folder for its files; it is removed with the copy. */
  folder: string
  /** The persons who were erased, by the journal beside the backup. */
  journal: readonly JournalEntry[]
}

/**
 * Restores a backup of this site into a temporary copy, with the tables of today, and removes the copy after `work`. The site is not stopped.
 * @param from.target where the archive is from: beside it are its journal and its files
 * @throws {UnusableArchive}; {NotTaken} when it is of another site, or there is no room
 */
export async function withOpenBackup<T>(
  ctx: TakeOutContext,
  from: { path: string; identity: string; target?: BackupTarget; signal?: AbortSignal | undefined },
  work: (backup: OpenBackup) => Promise<T>,
): Promise<T> {
  const { path, identity, target = folderTarget(dirname(path)), signal } = from
  const backup = await checkBackup(path, identity, signal)
  const { header } = backup
  if (header.siteId !== siteIdOf(ctx.secret)) {
    throw new NotTaken(
      'otherSite',
      `${path} is a backup of another site, ${header.site}, or was made with another secret.`,
    )
  }
  const journal = await readJournalAt(target, identity, header.siteId)
  return ctx.uploads.temporaryFiles.withFolder(async (folder) => {
    await requireRoom(folder, spaceToRestore((await stat(path)).size))
    const dataDir = join(folder, 'site')
    // Without the journal: an erased row is distinguished from one that is not in the backup.
    const source = { path, identity, backup, journal: undefined, ...(signal && { signal }) }
    const restored = async () => {
      await restoreToTemporaryCopy(ctx, source, dataDir)
      signal?.throwIfAborted()
      return openCopy(dataDir)
    }
    const { db, dialect } = await restored().catch((error) => {
      // Others filled the disk since it was checked, or the tables take more than the archive states.
      throw isDiskFull(error) ? new NotTaken('noRoom', `In ${folder} the disk became full.`) : error
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

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const lack = await findMissingSpace(folder, bytes)
  if (lack !== undefined) throw new NotTaken('noRoom', `In ${folder} ${reasonText(lack, 'en')}.`)
}

/**
 * Whether somebody was erased after a message of theirs came.
 * @param db of the site
 */
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

export type ErasedCheck = (of: { email: string; createdAt: string }) => boolean

/**
 * A stored row, with `#id` in place of the name of an author who was erased since.
 * @param from.db of the site
 * @param author the columns with the id and the name
 */
export async function withoutErasedAuthor(
  { db, backup, isErased }: { db: Db; backup: OpenBackup; isErased: ErasedCheck },
  row: StoredRow,
  author: { id: string; name: string },
): Promise<StoredRow> {
  const id = row[author.id]
  if (typeof id !== 'number') return row
  const user = await findUserRow(backup.db, id)
  const isGone = user !== undefined && isErased({ email: user.email, createdAt: String(row.created_at) })
  return isGone || (await isAnonymised(db, id)) ? { ...row, [author.name]: `#${id}` } : row
}

/** A stored blob, out of an archive. */
export interface ExtractedBlob {
  /** Where each object is, with its name in the blob. */
  objects: { name: string; path: string; bytes: number }[]
  type: string
}

/**
 * Reads the objects of some blobs into files; none of a blob that the backup does not have, or whose file beside it is missing
 * or damaged.
 * @throws {NotTaken} when there is no room; {UnusableArchive} when the archive itself cannot be read
 */
export async function extractBlobs(
  backup: Pick<OpenBackup, 'path' | 'identity' | 'target' | 'signal' | 'blobFiles' | 'folder'>,
  blobs: readonly { blobId: string; type: string }[],
): Promise<ExtractedBlob[]> {
  const { path, identity, target, signal, blobFiles, folder } = backup
  const found = new Map(blobs.map(({ blobId }) => [blobId, [] as ExtractedBlob['objects']]))
  if (found.size > 0) {
    const into = await mkdtemp(join(folder, 'files-'))
    const take: ItemHandler = async (name, content) => {
      if (!name.startsWith(items.file(''))) return
      const [blobId = '', object = ''] = name.slice(items.file('').length).split('/')
      const objects = found.get(blobId)
      if (!objects) return
      const to = join(into, `${blobId}-${object}`)
      await pipeline(Readable.from(content), createWriteStream(to, { mode: 0o600, flags: 'wx' }))
      objects.push({ name: object, path: to, bytes: (await stat(to)).size })
    }
    const at = { target, identity, ...(signal && { signal }) }
    const beside = [...found.keys()].map((blobId) => ({ blobId, file: blobFiles?.blobs[blobId] }))
    const wanted = beside.flatMap(({ file }) => file?.items ?? [])
    await requireRoom(
      folder,
      wanted.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const { blobId, file } of beside) {
      if (!file) continue
      await readBlobFile(at, blobFiles?.folder ?? '', file, take).catch((error) => {
        if (!(error instanceof UnusableArchive)) throw error
        found.set(blobId, [])
      })
    }
    if (beside.some(({ file }) => !file)) await readArchive(path, identity, take, signal)
  }
  return blobs.map(({ blobId, type }) => ({ objects: found.get(blobId) ?? [], type }))
}

/** The input of `storeBlobs`: the objects under a new id. */
export const storedFrom =
  ({ uploads }: Pick<TakeOutContext, 'uploads'>) =>
  ({ objects, type }: ExtractedBlob) => ({
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

export const withoutId = <Table extends TableColumns>(table: Table): Table => ({
  ...table,
  columns: table.columns.filter((column) => column !== 'id'),
})

/** Inserts rows of a backup. */
export const insertStored = (
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
