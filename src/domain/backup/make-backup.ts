import { type AddItem, writeArchive } from '../../platform/archive/archive.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import { type BackupTarget, verifyStored } from '../../platform/archive/backup-target.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { type TableColumns, toValue } from '../../platform/db/dialect/database-copy.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { sumStoredBytes } from '../files/blob.queries.ts'
import { isCommitted, listCommittedBlobs } from './backup.queries.ts'
import { requireBlobFiles, writeBlobFiles } from './blob-files.ts'
import {
  archiveFormat,
  type BlobFiles,
  type Header,
  items,
  listBackedUpTables,
  type Manifest,
  siteIdOf,
  wholeFormat,
} from './contents.ts'
import { currentJournal, writeJournalFile } from './journal.ts'

export interface BackupSource extends Pick<Context, 'db' | 'dialect' | 'now'> {
  storage: Storage
  secret: string
  siteName: string
  /** The text of the configuration file on disk, which may differ from the current configuration. */
  configuration: string
}

export interface MadeBackup extends Pick<Manifest, 'missingBlobs'> {
  /** The written bytes: of the archive, and of files beside it. */
  bytes: number
  /** SHA-256 of the archive, in hex. */
  hash: string
  rows: number
  files: number
  /** The new name of an existing journal that could not be read. */
  unreadableJournal: string | undefined
}

/** How large a backup is at most, about. */
export const estimateBackupBytes = async ({ db, dialect }: Pick<Context, 'db' | 'dialect'>): Promise<number> =>
  (await dialect.size(db)) + (await sumStoredBytes(db))

/**
 * Writes an encrypted archive of the running site: a snapshot of the database, the stored files, the configuration file and
 * the secret. It streams, so memory grows only with the number of stored files. Afterwards the archive is read back, to
 * verify that the target stored it.
 * @param to.beside stores the files beside the archive, for all backups at the target; without it the archive has them itself
 * @param to.beside.damaged names of such files that a proof found damaged
 * @throws {TargetFailure}
 */
export async function makeBackup(
  source: BackupSource,
  to: {
    target: BackupTarget
    name: string
    key: BackupKey
    beside?: { damaged: ReadonlySet<string> }
    signal?: AbortSignal
  },
): Promise<MadeBackup> {
  const content: Manifest = { rows: {}, items: [], deletedBlobs: [], missingBlobs: [] }
  const siteId = siteIdOf(source.secret)
  const beside = to.beside && (await writeBlobFiles({ ...source, siteId }, to, to.beside.damaged))
  const blobs = beside?.blobFiles.blobs ?? {}

  const written = await writeArchive(to, to.key.recipient, async (addItem) => {
    const add: AddItem = async (name, lines) => {
      const item = await addItem(name, lines)
      content.items.push(item)
      return item
    }
    for (const blobId of await addTables(source, content, beside?.blobFiles, add)) {
      // Those beside the archive are complete: they were read before the snapshot, in which they are still committed.
      if (!blobs[blobId]) await addBlob(source, blobId, content, add)
    }
    await add(items.configuration, [source.configuration])
    await add(items.secret, [source.secret])
    await addItem(items.manifest, [JSON.stringify(content)])
  })
  let unreadableJournal: string | undefined
  try {
    await verifyStored(to.target, to.name, written, to.signal)
    if (beside) await requireBlobFiles(to, beside.blobFiles)
    // After the archive, and of now: the journal is never older than the newest backup beside it, also of one that began later.
    const journal = await currentJournal(source, source.db)
    unreadableJournal = await writeJournalFile(to.target, to.key, journal)
  } catch (error) {
    // The files that it lists would stay for ever. If the target is unavailable, the next backup removes it.
    if (beside) await to.target.remove(to.name).catch(() => {})
    throw error
  }
  const inArchive = content.items.filter(({ name }) => name.startsWith(items.file(''))).length
  return {
    bytes: written.bytes + (beside?.written ?? 0),
    hash: written.hash,
    rows: Object.values(content.rows).reduce((sum, rows) => sum + rows, 0),
    files: Object.values(blobs).reduce((sum, blob) => sum + blob.items.length, inArchive),
    missingBlobs: content.missingBlobs,
    unreadableJournal,
  }
}

/** Adds the header and all rows, from one snapshot of the database. @returns the ids of the committed blobs in it */
async function addTables(source: BackupSource, content: Manifest, blobFiles: BlobFiles | undefined, add: AddItem) {
  const { copy, name: database } = source.dialect
  return source.db.connection().execute(async (connection) => {
    // The cast: `connection` is a database of which every statement goes to one connection.
    const db = connection as Database
    await copy.beginSnapshot(db)
    try {
      const tables = await listBackedUpTables(source, db)
      const { at, lastIds } = await currentJournal(source, db)
      const header: Header = {
        // Programs of before the files beside archives read those that have none.
        format: blobFiles ? archiveFormat : wholeFormat,
        madeAt: at,
        site: source.siteName,
        siteId: siteIdOf(source.secret),
        database,
        migrations: [...migrationNames],
        lastIds,
      }
      await add(items.header, [JSON.stringify(header)])
      if (blobFiles) await add(items.blobFiles, [JSON.stringify(blobFiles)])
      for (const table of tables) {
        content.rows[table.name] = 0
        await add(items.table(table.name), linesOf(source, db, table, content.rows))
      }
      return await listCommittedBlobs(db)
    } finally {
      await copy.endSnapshot(db)
    }
  })
}

/** The names of the columns, then an array of values per row, in JSON. */
async function* linesOf(
  { dialect }: BackupSource,
  db: Database,
  table: TableColumns,
  counted: Record<string, number>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(table.columns)}\n`
  for await (const rows of dialect.copy.readRows(db, table)) {
    counted[table.name] = (counted[table.name] ?? 0) + rows.length
    yield rows.map((row) => `${JSON.stringify(table.columns.map((column) => toValue(row[column])))}\n`).join('')
  }
}

/** Adds the objects of a blob. Staff may have deleted or replaced the file since the rows were read. */
async function addBlob(source: BackupSource, blobId: string, content: Manifest, add: AddItem): Promise<void> {
  const keys = await source.storage.list(blobId)
  // Objects are removed only after the blob is released, so the list has all of them.
  const isListComplete = await isCommitted(source.db, blobId)
  let added = 0
  for (const key of keys) {
    const stored = await source.storage.read(key)
    if (!stored) continue
    await add(items.file(key), stored)
    added++
  }
  if (isListComplete && added > 0 && added === keys.length) return
  if (!(await isCommitted(source.db, blobId))) content.deletedBlobs.push(blobId)
  else if (added === 0) content.missingBlobs.push(blobId)
}
