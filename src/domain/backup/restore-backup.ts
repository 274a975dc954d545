import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ItemHandler, inSteps, readArchive } from '../../platform/archive/archive.ts'
import { folderTarget } from '../../platform/archive/backup-target.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import { unfinishedRestoreIn } from '../../platform/config/secret.ts'
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
import { currentJournal, type Journal, ofOwnTables } from './journal.ts'

/** The database and folders that the restore overwrites. No running program may use them. */
export interface RestoreTarget extends Pick<Context, 'db' | 'dialect' | 'now'> {
  /** Undefined: the files are not stored; their hashes were compared when the backup was checked. */
  storage: Storage | undefined
  temporaryFiles: TemporaryFiles
  dataDir: string
  /** The current secret; undefined when there is none yet. */
  secret: string | undefined
  /** Whether the secret comes from the setting `SECRET`, so that the restore cannot replace it. */
  secretIsSetting: boolean
  /** The database was made for this restore: nothing is in it but the tables of today. */
  isNew?: boolean
}

export interface RestoreSource {
  path: string
  identity: string
  backup: CheckedBackup
  /** The journal that is stored next to the backup. */
  journal: Journal | undefined
  /** The site moves here: it was stopped before the backup, so its queued emails and single-use links stay valid. */
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
  /** The number of queued emails that were marked as failed instead of being sent. */
  heldEmails: number
  /** Whether the setting `SECRET` differs from the secret of the backup. */
  otherSecret: boolean
}

/** Whether the target has a site with users. */
export const isOccupied = (target: Pick<Context, 'db'>): Promise<boolean> => hasUsers(target.db)

/**
 * Replaces the site with a verified backup. Files are added first, next to the existing ones; then the database is replaced
 * in one transaction. So an interrupted restore leaves the site as it was.
 */
export async function restoreBackup(target: RestoreTarget, from: RestoreSource): Promise<Restored> {
  const { path, backup, journal, moved } = from
  const { header, manifest, secret } = backup
  const { db, dialect } = target
  const now = target.now()
  const added = new Set<string>()
  await addFiles(target, from, added).catch(async (error) => {
    await removeAdded(target, added)
    throw error
  })

  const wasOccupied = await isOccupied(target)
  const wasCutOff = existsSync(unfinishedRestoreIn(target.dataDir))
  const replaced = db.transaction().execute(async (tx) => {
    await dialect.copy.prepareLongTransaction(tx)
    // Another restore into this database may run with another data folder: its journal and files are read when it has ended.
    await dialect.lock(tx, 'backups')
    const blobsBefore = await listBlobs(tx)
    const journals = [
      ...(journal ? [journal] : []),
      ...(target.secret === undefined ? [] : [await currentJournal({ ...target, secret: target.secret }, tx)]),
    ].filter(({ siteId }) => siteId === header.siteId)

    await replaceTables(target, tx, header.migrations, Object.keys(manifest.rows))
    await insertTables(target, tx, from)
    await refuseOtherCounts(tx, from)
    await runMigrations(tx as never, dialect).then(throwError)
    for (const { lastIds } of [header, ...journals]) {
      await dialect.copy.continueIds(tx, ofOwnTables(lastIds))
    }

    await removeFilesOfBlobs(tx, manifest.deletedBlobs, now)
    // A file beside the archive may have been deleted before the rows were read.
    const beside = target.storage ? Object.keys(backup.blobFiles?.blobs ?? {}) : []
    await addReleasedBlobs(tx, [...blobsBefore, ...beside], now)
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
    const applicable = journals.filter((one) => one === journal || wasOccupied)
    return { rows, files, heldEmails, journals: applicable.length, ...applied }
  })
  const restored = await replaced.catch(async (error) => {
    // After a lost connection the commit may have succeeded; if the database cannot tell, nothing is cleaned up.
    const isCommitted = await isRestored(db, now).catch(() => true)
    if (!isCommitted && !wasCutOff) await rm(unfinishedRestoreIn(target.dataDir), { force: true })
    if (!isCommitted) await removeAdded(target, added)
    throw error
  })
  await finishSecret(target, secret)
  await dialect.purgeDeleted(db)
  return { ...restored, otherSecret: target.secretIsSetting && target.secret !== secret }
}

/** Adds the files of the backup to the storage; their ids are random, so none overwrites a different file. */
async function addFiles(
  { storage, temporaryFiles }: RestoreTarget,
  from: RestoreSource,
  added: Set<string>,
): Promise<void> {
  if (!storage) return
  await temporaryFiles.withFolder(async (folder) => {
    const file = join(folder, 'file')
    const add: ItemHandler = async (name, content) => {
      if (!name.startsWith(items.file(''))) return
      const key = name.slice(items.file('').length)
      added.add(key.split('/')[0] ?? '')
      await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600, flush: true }))
      await storage.put(key, file, 'application/octet-stream')
    }
    await readAgain(from, add)
    const { path, identity, backup, signal } = from
    const at = { target: folderTarget(dirname(path)), identity, ...(signal && { signal }) }
    const { folder: beside = '', blobs = {} } = backup.blobFiles ?? {}
    for (const blob of Object.values(blobs)) await readBlobFile(at, beside, blob, add)
  })
}

/** Deletes the files that a failed restore added, except those the site uses; none if the database is unavailable. */
async function removeAdded({ db, storage }: RestoreTarget, added: ReadonlySet<string>): Promise<void> {
  const used = await listBlobs(db).catch(() => [...added])
  for (const blobId of added.difference(new Set(used))) await storage?.remove(blobId).catch(() => {})
}

/**
 * Reads the archive again after it was verified.
 * @throws {UnusableArchive} when its content differs from what was verified, because the file was changed meanwhile
 */
async function readAgain(
  { path, identity, backup: { manifest }, signal }: RestoreSource,
  take: ItemHandler,
): Promise<void> {
  const found = (await readArchive(path, identity, take, signal)).filter(({ name }) => name !== items.manifest)
  if (JSON.stringify(found) !== JSON.stringify(manifest.items)) {
    throw new UnusableArchive({ key: 'archiveChanged', archive: path })
  }
}

async function refuseOtherCounts(tx: Transaction, { path, backup }: RestoreSource): Promise<void> {
  for (const [table, expected] of Object.entries(backup.manifest.rows)) {
    const found = await countRows(tx, table)
    if (found === expected) continue
    throw new UnusableArchive({ key: 'archiveOtherCount', archive: path, expected, table, found })
  }
}

/**
 * Drops all tables, and creates empty ones with the schema version of the backup. New ones of that version stay.
 * @param filled the tables in the backup, in its order
 */
async function replaceTables(
  { dialect, isNew }: RestoreTarget,
  tx: Transaction,
  migrations: readonly string[],
  filled: readonly string[],
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
  for (const name of filled.toReversed()) await deleteAllRows(tx, name)
}

function throwError({ error }: { error?: unknown }): void {
  if (error !== undefined) throw error
}

/** Few, because triggers index each row for the search: ten take about half a millisecond. */
const rowsAtOnce = 10
/** The maximum size of a batch in characters, because rows have very different sizes. */
const charsAtOnce = 4_000_000

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
      if (rows.length < rowsAtOnce && chars < charsAtOnce) continue
      await insertRows(tx, target, table, rows)
      rows = []
      chars = 0
      // SQLite's calls are synchronous: during a proof, requests run between the batches.
      await nextTurn()
    }
    if (table) await insertRows(tx, target, table, rows)
  })
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const part of inSteps(content)) {
    const lines = `${rest}${decoder.decode(part, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const holdEmails = (tx: Transaction, madeAt: string, now: Date): Promise<number> =>
  failWaitingEmails(
    tx,
    `not sent: it waited in the backup of ${madeAt}, from which this site was restored, and may have been sent since`,
    now,
  )

/** Repeats the erasures since the backup, and blocks the users who were deleted or blocked since. */
async function applyJournals(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  tx: Transaction,
  journals: readonly Journal[],
  madeAt: string,
): Promise<Pick<Restored, 'erasedPeople' | 'blockedUsers'>> {
  const entries = journals.flatMap((journal) => journal.entries)
  // Entries in the restored database's own journal were done before the backup, whatever the clocks say.
  const done = await readJournal(tx)
  const isDone = (entry: JournalEntry) =>
    done.some(({ kind, subject, at }) => kind === entry.kind && subject === entry.subject && at >= entry.at)
  const since = entries.filter((entry) => !isDone(entry))
  await addToJournal(tx, since)
  const deleted = since.filter(({ kind }) => kind === 'user_deleted').map(({ subject }) => Number(subject))
  const blocked = journals.filter(({ at }) => at > madeAt).flatMap(({ blockedUsers }) => blockedUsers)

  const erased = new Set(since.filter(({ kind }) => kind === 'erased').map(({ subject }) => subject))
  const found = erased.size === 0 ? [] : await listAddresses(ctx, tx, erased)
  for (const email of found) {
    await erasePersonalData(tx, ctx, email, (user) => removeAccount(tx, user.id, ctx.now()))
  }
  return { erasedPeople: found.length, blockedUsers: await blockUserRows(tx, [...new Set([...deleted, ...blocked])]) }
}

/** The email addresses in the database whose keyed hash is one of these. */
async function listAddresses(
  { secret }: { secret: string },
  tx: Transaction,
  subjects: ReadonlySet<string>,
): Promise<string[]> {
  const found = new Set<string>()
  for await (const text of readTextsWithAddresses(tx)) {
    for (const email of addressesIn(text)) {
      if (!found.has(email) && subjects.has(erasedSubject(secret, email))) found.add(email)
    }
  }
  return [...found]
}

/** Possible email addresses in a text, also after an escaped line break, each with and without the signs around it. */
export function addressesIn(text: string): string[] {
  const texts = [text, text.replace(/\\[bfnrt]/g, ' ')]
  // Each run of such characters is tried once, at its start: a long one without an address would take quadratic time.
  const found = texts.flatMap(
    (one) => one.match(/(?<![^\s"<>()[\],;:\\])[^\s"<>()[\],;:\\]+@[^\s"'<>()[\],;:\\]+/g) ?? [],
  )
  const variants = [text.trim(), ...found]
    .flatMap((address) => [address, address.replace(/^'+/, ''), address.replace(/^[^\p{L}\p{N}]+/u, '')])
    .flatMap((address) => [address, address.replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')])
  return [...new Set(variants.map((address) => address.toLowerCase()))]
}

/** Stores a different secret of the backup beside the current one; until `finishSecret` the program does not start. */
async function prepareSecret(
  { dataDir, secretIsSetting, secret: before }: RestoreTarget,
  secret: string,
): Promise<void> {
  if (secretIsSetting || secret === before) return
  await writeFile(unfinishedRestoreIn(dataDir), secret, { mode: 0o600, flush: true })
}

async function finishSecret(
  { dataDir, secretIsSetting, secret: before }: RestoreTarget,
  secret: string,
): Promise<void> {
  const prepared = unfinishedRestoreIn(dataDir)
  if (secretIsSetting || secret === before) await rm(prepared, { force: true })
  else await rename(prepared, join(dataDir, 'secret'))
}
