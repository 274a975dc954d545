import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ItemHandler, inSteps, readArchive } from '../../platform/archive/archive.ts'
import { folderTarget } from '../../platform/archive/backup-target.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import { pendingSecretPath } from '../../platform/config/secret.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TableColumns, Value } from '../../platform/db/dialect/database-copy.ts'
import { ownTables } from '../../platform/db/empty-database.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import { runMigrations } from '../../platform/db/migrations/run-migrations.ts'
import { addToJournal, erasedSubject, type JournalEntry, readJournal } from '../../platform/db/restore-journal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { TemporaryFiles } from '../../platform/storage/temporary-files.ts'
import { record } from '../audit/record.ts'
import { erasePersonalData } from '../privacy/erase-person.ts'
import { removeAccount } from '../users/delete-user.ts'
import {
  addReleasedBlobs,
  blockUserRows,
  countRows,
  deleteAllRows,
  deleteSingleUseLinks,
  failWaitingEmails,
  hasUsers,
  insertRows,
  isRestored,
  listBlobs,
  readTextsWithAddresses,
  removeFilesOfBlobs,
} from './backup.queries.ts'
import { finishRestoredRuns } from './backup-run.queries.ts'
import { readBlobFile } from './blob-files.ts'
import type { CheckedBackup } from './check-backup.ts'
import { items, sortByForeignKeys } from './contents.ts'
import { createJournal, type Journal, onlyOwnTables } from './journal.ts'

/** The database and folders that the restore overwrites. No server may be using them. */
interface RestoreTarget extends Pick<Context, 'db' | 'dialect' | 'now'> {
  /** Undefined: stored files are not restored. */
  storage: Storage | undefined
  temporaryFiles: TemporaryFiles
  dataDir: string
  /** The current secret; undefined when there is none yet. */
  secret: string | undefined
  /** Whether the secret comes from the setting `SECRET`, so that the restore cannot replace it. */
  secretIsSetting: boolean
  /** The database was made for this restore: it has nothing but today's empty tables. */
  isNew?: boolean
}

export interface RestoreSource {
  path: string
  identity: string
  backup: CheckedBackup
  /** The journal next to the archive. */
  journal: Journal | undefined
  /** The site moves here and was stopped before the backup, so its queued emails and single-use links stay valid. */
  moved: boolean
  /** Cancels the restore; nothing is changed then. */
  signal?: AbortSignal
}

export interface Restored {
  rows: number
  files: number
  /** The number of journals of this site that were applied: from the backup's folder and from the replaced database. */
  journals: number
  /** The number of email addresses whose data was erased again. */
  erasedPeople: number
  /** Email addresses of the users that were blocked, because they were blocked or deleted after the backup. */
  blockedUsers: string[]
  /** The number of queued emails that were marked as failed, because they may have been sent since the backup. */
  heldEmails: number
  /** Whether the setting `SECRET` differs from the secret of the backup. */
  otherSecret: boolean
}

/** Whether the target has a site with users. */
export const isOccupied = (target: Pick<Context, 'db'>): Promise<boolean> => hasUsers(target.db)

/**
 * Replaces the site with a backup that `checkBackup` verified. Files are added first, next to the existing ones; then
 * the database is replaced in one transaction. So an interrupted restore leaves the site as it was.
 * @throws {UnusableArchive} when the archive changed since it was verified
 */
export async function restoreBackup(target: RestoreTarget, from: RestoreSource): Promise<Restored> {
  const { path, backup, journal, moved } = from
  const { header, manifest, secret } = backup
  const { db, dialect } = target
  const now = target.now()
  const addedBlobs = new Set<string>()
  await addFiles(target, from, addedBlobs).catch(async (error) => {
    await removeAddedBlobs(target, addedBlobs)
    throw error
  })

  const wasOccupied = await isOccupied(target)
  const isSecretPrepared = existsSync(pendingSecretPath(target.dataDir))
  const replacing = db.transaction().execute(async (tx) => {
    await dialect.copy.prepareLongTransaction(tx)
    // Waits for another restore into this database, with another data folder, before reading the journal and blobs that
    // it leaves.
    await dialect.lock(tx, 'backups')
    const replacedBlobs = await listBlobs(tx)
    const journals = [
      ...(journal ? [journal] : []),
      ...(target.secret === undefined ? [] : [await createJournal({ ...target, secret: target.secret }, tx)]),
    ].filter(({ siteId }) => siteId === header.siteId)

    await replaceTables(target, tx, header.migrations, Object.keys(manifest.rows))
    await insertTables(target, tx, from)
    await requireRowCounts(tx, from)
    await runMigrations(tx as never, dialect).then(throwError)
    for (const { lastIds } of [header, ...journals]) {
      await dialect.copy.continueIds(tx, onlyOwnTables(lastIds))
    }

    await removeFilesOfBlobs(tx, manifest.deletedBlobs, now)
    // A file may have been deleted after its blob file was written and before the rows were read.
    const blobsOfBlobFiles = target.storage ? Object.keys(backup.blobFiles?.blobs ?? {}) : []
    await addReleasedBlobs(tx, [...replacedBlobs, ...blobsOfBlobFiles], now)
    const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
    const files = backup.files.length
    await finishRestoredRuns(tx, { name: basename(path), bytes: (await stat(path)).size, rows, files }, now)
    const heldEmails = moved ? 0 : await holdEmails(tx, header.madeAt, now)
    if (!moved) await deleteSingleUseLinks(tx)
    const applied = await applyJournals({ ...target, secret }, tx, journals, header.madeAt)
    await record(
      tx,
      { now: () => now, actor: undefined },
      {
        action: 'backup.restored',
        subject: { type: 'backup', name: basename(path) },
        after: {
          rows,
          files,
          heldEmails,
          erasedPeople: applied.erasedPeople,
          blockedUsers: applied.blockedUsers.length,
        },
      },
    )
    await prepareSecret(target, secret)
    // The journal of an empty database is not counted.
    const counted = journals.filter((applicable) => applicable === journal || wasOccupied)
    return { rows, files, heldEmails, journals: counted.length, ...applied }
  })
  const restored = await replacing.catch(async (error) => {
    // After a lost connection the commit may have succeeded; while the database is unavailable, nothing is cleaned up.
    const isCommitted = await isRestored(db, now).catch(() => true)
    if (!isCommitted && !isSecretPrepared) await rm(pendingSecretPath(target.dataDir), { force: true })
    if (!isCommitted) await removeAddedBlobs(target, addedBlobs)
    throw error
  })
  await finishSecret(target, secret)
  await dialect.purgeDeleted(db)
  return { ...restored, otherSecret: target.secretIsSetting && target.secret !== secret }
}

/**
 * Adds the files of the backup to the storage; none is overwritten, as blob ids are random.
 * @param addedBlobs receives the ids
 */
async function addFiles(
  { storage, temporaryFiles }: RestoreTarget,
  from: RestoreSource,
  addedBlobs: Set<string>,
): Promise<void> {
  if (!storage) return
  await temporaryFiles.withFolder(async (folder) => {
    const temporaryPath = join(folder, 'file')
    const addObject: ItemHandler = async (name, content) => {
      if (!name.startsWith(items.file(''))) return
      const key = name.slice(items.file('').length)
      addedBlobs.add(key.split('/')[0] ?? '')
      await pipeline(Readable.from(content), createWriteStream(temporaryPath, { mode: 0o600, flush: true }))
      await storage.put(key, temporaryPath, 'application/octet-stream')
    }
    await readAgain(from, addObject)
    const { path, identity, backup, signal } = from
    const source = { target: folderTarget(dirname(path)), identity, ...(signal && { signal }) }
    const { folder: blobFolder = '', blobs = {} } = backup.blobFiles ?? {}
    for (const blobFile of Object.values(blobs)) await readBlobFile(source, blobFolder, blobFile, addObject)
  })
}

/** Deletes the blobs that a failed restore added, except those the site uses; none if the database is unavailable. */
async function removeAddedBlobs({ db, storage }: RestoreTarget, addedBlobs: ReadonlySet<string>): Promise<void> {
  const usedBlobs = await listBlobs(db).catch(() => [...addedBlobs])
  for (const blobId of addedBlobs.difference(new Set(usedBlobs))) await storage?.remove(blobId).catch(() => {})
}

/** Reads the archive again after it was verified. @throws {UnusableArchive} when its content has changed since */
async function readAgain(
  { path, identity, backup: { manifest }, signal }: RestoreSource,
  handleItem: ItemHandler,
): Promise<void> {
  const actualItems = (await readArchive(path, identity, handleItem, signal)).filter(
    ({ name }) => name !== items.manifest,
  )
  if (JSON.stringify(actualItems) !== JSON.stringify(manifest.items)) {
    throw new UnusableArchive({ key: 'archiveChanged', archive: path })
  }
}

/** @throws {UnusableArchive} unless each table has as many rows as the manifest says */
async function requireRowCounts(tx: Transaction, { path, backup }: RestoreSource): Promise<void> {
  for (const [table, expected] of Object.entries(backup.manifest.rows)) {
    const actual = await countRows(tx, table)
    if (actual === expected) continue
    throw new UnusableArchive({ key: 'archiveOtherCount', archive: path, expected, table, found: actual })
  }
}

/**
 * Replaces all tables by empty ones with the schema version of the backup; those of a new database stay if they have
 * that version.
 * @param migrations of the backup
 * @param backedUpTables in foreign-key order: referenced tables come first
 */
async function replaceTables(
  { dialect, isNew }: RestoreTarget,
  tx: Transaction,
  migrations: readonly string[],
  backedUpTables: readonly string[],
): Promise<void> {
  const { copy } = dialect
  if (!isNew || migrationNames.some((name) => !migrations.includes(name))) {
    const present = (await copy.listTables(tx)).filter(({ name }) => ownTables.has(name))
    const dropped = sortByForeignKeys(present, await copy.listReferences(tx)).reverse()
    await copy.dropTables(
      tx,
      dropped.map(({ name }) => name),
    )
    await runMigrations(tx as never, dialect, migrations).then(throwError)
  }
  // Deletes the rows that migrations insert, such as roles.
  for (const name of backedUpTables.toReversed()) await deleteAllRows(tx, name)
}

function throwError({ error }: { error?: unknown }): void {
  if (error !== undefined) throw error
}

/** Few, because triggers index each row for the search: ten take about half a millisecond. */
const maxBatchRows = 10
/** The maximum size of a batch in characters, because rows have very different sizes. */
const maxBatchChars = 4_000_000

/** Inserts the rows of all tables from the archive: of each table a line with the columns, then a line per row, as JSON. */
async function insertTables(target: RestoreTarget, tx: Transaction, from: RestoreSource): Promise<void> {
  await readAgain(from, async (name, content) => {
    if (!name.startsWith(items.table(''))) return
    let table: TableColumns | undefined
    let rows: Value[][] = []
    let chars = 0
    for await (const line of linesOf(content)) {
      if (!table) {
        table = { name: name.slice(items.table('').length), columns: JSON.parse(line) }
        continue
      }
      rows.push(JSON.parse(line))
      chars += line.length
      if (rows.length < maxBatchRows && chars < maxBatchChars) continue
      await insertRows(tx, target, table, rows)
      rows = []
      chars = 0
      // SQLite's calls are synchronous: during a test restore in the server, requests run between the batches.
      await nextTurn()
    }
    if (table) await insertRows(tx, target, table, rows)
  })
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of inSteps(content)) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Marks waiting emails as failed, because they may have been sent since the backup. @returns how many */
const holdEmails = (tx: Transaction, madeAt: string, now: Date): Promise<number> =>
  failWaitingEmails(
    tx,
    `not sent: it waited in the backup of ${madeAt}, from which this site was restored, and may have been sent since`,
    now,
  )

/**
 * Repeats the erasures since the backup, and blocks the users who were deleted or blocked since.
 * @param madeAt of the backup
 */
async function applyJournals(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  tx: Transaction,
  journals: readonly Journal[],
  madeAt: string,
): Promise<Pick<Restored, 'erasedPeople' | 'blockedUsers'>> {
  const entries = journals.flatMap((journal) => journal.entries)
  // Entries in the restored database's own journal were applied before the backup, whatever the clocks say.
  const restoredEntries = await readJournal(tx)
  const isApplied = (entry: JournalEntry) =>
    restoredEntries.some(({ kind, subject, at }) => kind === entry.kind && subject === entry.subject && at >= entry.at)
  const newEntries = entries.filter((entry) => !isApplied(entry))
  await addToJournal(tx, newEntries)
  const deletedUsers = newEntries.filter(({ kind }) => kind === 'user_deleted').map(({ subject }) => Number(subject))
  const blockedUsers = journals.filter(({ at }) => at > madeAt).flatMap((journal) => journal.blockedUsers)

  const erasedSubjects = new Set(newEntries.filter(({ kind }) => kind === 'erased').map(({ subject }) => subject))
  const emails = erasedSubjects.size === 0 ? [] : await listAddresses(ctx, tx, erasedSubjects)
  for (const email of emails) {
    await erasePersonalData(tx, ctx, email, (user) => removeAccount(tx, user.id, ctx.now()))
  }
  const idsToBlock = [...new Set([...deletedUsers, ...blockedUsers])]
  return { erasedPeople: emails.length, blockedUsers: await blockUserRows(tx, idsToBlock) }
}

/** The email addresses in the database whose keyed hash is one of these. */
async function listAddresses(
  { secret }: { secret: string },
  tx: Transaction,
  subjects: ReadonlySet<string>,
): Promise<string[]> {
  const emails = new Set<string>()
  for await (const text of readTextsWithAddresses(tx)) {
    for (const email of addressesIn(text)) {
      if (!emails.has(email) && subjects.has(erasedSubject(secret, email))) emails.add(email)
    }
  }
  return [...emails]
}

/**
 * Possible email addresses in a text, also after an escaped line break, each with and without the punctuation around
 * it; in lower case.
 */
export function addressesIn(text: string): string[] {
  const texts = [text, text.replace(/\\[bfnrt]/g, ' ')]
  // The lookbehind allows a match only at the start of a run of address characters: otherwise a long run takes quadratic time.
  const candidates = texts.flatMap(
    (text) => text.match(/(?<![^\s"<>()[\],;:\\])[^\s"<>()[\],;:\\]+@[^\s"'<>()[\],;:\\]+/g) ?? [],
  )
  const variants = [text.trim(), ...candidates]
    .flatMap((address) => [address, address.replace(/^'+/, ''), address.replace(/^[^\p{L}\p{N}]+/u, '')])
    .flatMap((address) => [address, address.replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')])
  return [...new Set(variants.map((address) => address.toLowerCase()))]
}

/** Stores a different secret of the backup next to the current one. Until `finishSecret` replaces that, no server starts. */
async function prepareSecret(
  { dataDir, secretIsSetting, secret: currentSecret }: RestoreTarget,
  secret: string,
): Promise<void> {
  if (secretIsSetting || secret === currentSecret) return
  await writeFile(pendingSecretPath(dataDir), secret, { mode: 0o600, flush: true })
}

async function finishSecret(
  { dataDir, secretIsSetting, secret: currentSecret }: RestoreTarget,
  secret: string,
): Promise<void> {
  const prepared = pendingSecretPath(dataDir)
  if (secretIsSetting || secret === currentSecret) await rm(prepared, { force: true })
  else await rename(prepared, join(dataDir, 'secret'))
}
