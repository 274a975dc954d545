import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AddItem, writeArchive } from '../../platform/archive/archive.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { type TableColumns, toValue } from '../../platform/db/dialect/database-copy.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { isCommitted, listCommittedBlobs } from './backup.queries.ts'
import { archiveFormat, type Header, items, listBackedUpTables, type Manifest, siteIdOf } from './contents.ts'
import { currentJournal, type Journal, writeJournalFile } from './journal.ts'

export interface BackupSource extends Pick<Context, 'db' | 'dialect' | 'now'> {
  storage: Storage
  secret: string
  siteName: string
  /** The text of the configuration file, as the site was delivered. */
  configuration: string
  /** The tables of this program: a PostgreSQL may have others beside them. */
  ownTables: ReadonlySet<string>
}

export interface MadeBackup extends Pick<Manifest, 'missingBlobs'> {
  path: string
  bytes: number
  rows: number
  files: number
  /** Where the journal is that was there and could not be read. */
  unreadableJournal: string | undefined
}

/** A backup that is being written, or its journal. The folder may contain files of others. */
const partialName = /^etalage-.*\.partial$/
/** A backup that was not written to for so long was cut off. */
const abandonedMs = 60 * 60_000

/**
 * Writes an encrypted archive of the site into a folder, while it serves: the rows of one moment, the stored files, the
 * configuration file and the secret. It needs as much memory for a large site as for a small one, except for a line per
 * stored file.
 */
export async function makeBackup(source: BackupSource, to: { folder: string; key: BackupKey }): Promise<MadeBackup> {
  const now = source.now()
  await mkdir(to.folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(to.folder, now)
  const path = join(to.folder, `etalage-${now.toISOString().replaceAll(':', '-')}.tar.age`)
  const content: Manifest = { rows: {}, items: [], deletedBlobs: [], missingBlobs: [] }
  let journal: Journal | undefined

  await writeArchive(path, to.key.recipient, async (addItem) => {
    const add: AddItem = async (name, lines) => {
      const item = await addItem(name, lines)
      content.items.push(item)
      return item
    }
    const snapshot = await addTables(source, content, add)
    journal = snapshot.journal
    for (const blobId of snapshot.blobIds) await addBlob(source, blobId, content, add)
    await add(items.configuration, [source.configuration])
    await add(items.secret, [source.secret])
    await addItem(items.manifest, [JSON.stringify(content)])
  })
  // After the archive: the journal is never older than the newest backup beside it.
  const unreadableJournal = journal && (await writeJournalFile(to.folder, to.key, journal))
  return {
    path,
    bytes: (await stat(path)).size,
    rows: Object.values(content.rows).reduce((sum, rows) => sum + rows, 0),
    files: content.items.filter(({ name }) => name.startsWith(items.file(''))).length,
    missingBlobs: content.missingBlobs,
    unreadableJournal,
  }
}

/** Adds the header and all rows, as they were at one moment. */
async function addTables(source: BackupSource, content: Manifest, add: AddItem) {
  const { copy, name: database } = source.dialect
  return source.db.connection().execute(async (connection) => {
    // The cast: `connection` is a database of which every statement goes to one connection.
    const db = connection as Database
    await copy.beginSnapshot(db)
    try {
      const tables = await listBackedUpTables(source, db, source.ownTables)
      const journal = await currentJournal(source, db)
      const header: Header = {
        format: archiveFormat,
        madeAt: journal.at,
        site: source.siteName,
        siteId: siteIdOf(source.secret),
        database,
        migrations: [...migrationNames],
        lastIds: journal.lastIds,
      }
      await add(items.header, [JSON.stringify(header)])
      for (const table of tables) {
        content.rows[table.name] = 0
        await add(items.table(table.name), linesOf(source, db, table, content.rows))
      }
      return { journal, blobIds: await listCommittedBlobs(db) }
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

/** Adds the objects of a blob. Staff may have deleted the file since the rows were read. */
async function addBlob(source: BackupSource, blobId: string, content: Manifest, add: AddItem): Promise<void> {
  let added = 0
  for (const key of await source.storage.list(blobId)) {
    const stored = await source.storage.read(key)
    if (!stored) continue
    await add(items.file(key), stored)
    added++
  }
  if (!(await isCommitted(source.db, blobId))) content.deletedBlobs.push(blobId)
  else if (added === 0) content.missingBlobs.push(blobId)
}

/** Removes what backups left behind that were cut off. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !partialName.test(entry.name)) continue
    const path = join(folder, entry.name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
    if (now.getTime() - mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
