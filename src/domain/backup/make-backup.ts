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
  formatWithoutBlobFiles,
  type Header,
  items,
  listBackedUpTables,
  type Manifest,
  siteIdOf,
} from './contents.ts'
import { createJournal, writeJournalFile } from './journal.ts'

interface BackupSource extends Pick<Context, 'db' | 'dialect' | 'now'> {
  storage: Storage
  secret: string
  siteName: string
  /** The text of the configuration file on disk, which may differ from the current configuration. */
  configuration: string
}

export interface MadeBackup extends Pick<Manifest, 'missingBlobs'> {
  /** The bytes that were written: the archive, and new blob files. */
  bytes: number
  /** SHA-256 of the archive, in hex. */
  hash: string
  rows: number
  /** The number of stored objects, such as originals and resized images. */
  files: number
  /** The new name of an existing journal that could not be read; undefined when it could. */
  unreadableJournal: string | undefined
}

/** An estimate of the largest size of a backup. */
export const estimateBackupBytes = async ({ db, dialect }: Pick<Context, 'db' | 'dialect'>): Promise<number> =>
  (await dialect.size(db)) + (await sumStoredBytes(db))

/**
 * Writes an encrypted archive of the running site: a snapshot of the database, the stored files, the configuration file and
 * the secret. It streams, so memory grows only with the number of stored files. Afterwards the archive is read back, to
 * verify that the target stored it.
 * @param to.separateFiles stores the files in blob files next to the archive, which all backups at the target share;
 * without it the archive contains them
 * @param to.separateFiles.damaged names of blob files that a proof (a test restore) found damaged; they are written again
 * @throws {TargetFailure}
 */
export async function makeBackup(
  source: BackupSource,
  to: {
    target: BackupTarget
    name: string
    key: BackupKey
    separateFiles?: { damaged: ReadonlySet<string> }
    signal?: AbortSignal
  },
): Promise<MadeBackup> {
  const manifest: Manifest = { rows: {}, items: [], deletedBlobs: [], missingBlobs: [] }
  const siteId = siteIdOf(source.secret)
  const { separateFiles } = to
  const separate = separateFiles && (await writeBlobFiles({ ...source, siteId }, to, separateFiles.damaged))
  const blobs = separate?.blobFiles.blobs ?? {}

  const written = await writeArchive(to, to.key.recipient, async (addItem) => {
    const add: AddItem = async (name, lines) => {
      const item = await addItem(name, lines)
      manifest.items.push(item)
      return item
    }
    for (const blobId of await addTables(source, manifest, separate?.blobFiles, add)) {
      // A blob with a blob file is complete: it was read before the snapshot, in which it is still committed.
      if (!blobs[blobId]) await addBlob(source, blobId, manifest, add)
    }
    await add(items.configuration, [source.configuration])
    await add(items.secret, [source.secret])
    await addItem(items.manifest, [JSON.stringify(manifest)])
  })
  let unreadableJournal: string | undefined
  try {
    await verifyStored(to.target, to.name, written, to.signal)
    if (separate) await requireBlobFiles(to, separate.blobFiles)
    // Created after the archive, so that the journal is never older than the newest backup next to it.
    const journal = await createJournal(source, source.db)
    unreadableJournal = await writeJournalFile(to.target, to.key, journal)
  } catch (error) {
    // The blob files that the archive lists would stay for ever. If the target is unavailable, the next backup removes it.
    if (separate) await to.target.remove(to.name).catch(() => {})
    throw error
  }
  const filesInArchive = manifest.items.filter(({ name }) => name.startsWith(items.file(''))).length
  return {
    bytes: written.bytes + (separate?.written ?? 0),
    hash: written.hash,
    rows: Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0),
    files: Object.values(blobs).reduce((sum, blob) => sum + blob.items.length, filesInArchive),
    missingBlobs: manifest.missingBlobs,
    unreadableJournal,
  }
}

/** Adds the header and all rows, from one snapshot of the database. @returns the ids of the committed blobs in it */
async function addTables(source: BackupSource, manifest: Manifest, blobFiles: BlobFiles | undefined, add: AddItem) {
  const { copy, name: database } = source.dialect
  return source.db.connection().execute(async (connection) => {
    // The cast: `connection` is a database that uses one connection for every statement.
    const db = connection as Database
    await copy.beginSnapshot(db)
    try {
      const tables = await listBackedUpTables(source, db)
      const { at, lastIds } = await createJournal(source, db)
      const header: Header = {
        // Versions from before blob files can read an archive without them.
        format: blobFiles ? archiveFormat : formatWithoutBlobFiles,
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
        manifest.rows[table.name] = 0
        await add(items.table(table.name), linesOf(source, db, table, manifest.rows))
      }
      return await listCommittedBlobs(db)
    } finally {
      await copy.endSnapshot(db)
    }
  })
}

/** Yields JSON lines: an array of column names, then an array of values per row. It counts the rows in `counts`. */
async function* linesOf(
  { dialect }: BackupSource,
  db: Database,
  table: TableColumns,
  counts: Record<string, number>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(table.columns)}\n`
  for await (const rows of dialect.copy.readRows(db, table)) {
    counts[table.name] = (counts[table.name] ?? 0) + rows.length
    yield rows.map((row) => `${JSON.stringify(table.columns.map((column) => toValue(row[column])))}\n`).join('')
  }
}

/**
 * Adds the objects of a blob. A blob that was released meanwhile is added to `deletedBlobs`; a committed one of which no object
 * exists, to `missingBlobs`.
 */
async function addBlob(source: BackupSource, blobId: string, manifest: Manifest, add: AddItem): Promise<void> {
  const keys = await source.storage.list(blobId)
  // Objects are removed only after the blob is released: if it still is committed, the list was complete.
  const isListComplete = await isCommitted(source.db, blobId)
  let added = 0
  for (const key of keys) {
    const object = await source.storage.read(key)
    if (!object) continue
    await add(items.file(key), object)
    added++
  }
  if (isListComplete && added > 0 && added === keys.length) return
  if (!(await isCommitted(source.db, blobId))) manifest.deletedBlobs.push(blobId)
  else if (added === 0) manifest.missingBlobs.push(blobId)
}
