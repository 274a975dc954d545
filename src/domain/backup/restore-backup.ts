import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readArchive } from '../../platform/archive/archive.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import { unfinishedRestoreIn } from '../../platform/config/secret.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TableColumns, Value } from '../../platform/db/dialect/database-copy.ts'
import { runMigrations } from '../../platform/db/migrations/run-migrations.ts'
import type { OwnTables } from '../../platform/db/own-tables.ts'
import { addToJournal, erasedSubject, type JournalEntry, readJournal } from '../../platform/db/restore-journal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { TemporaryFiles } from '../../platform/storage/temporary-files.ts'
import { record } from '../audit/record.ts'
import { erasePersonalData } from '../privacy/erase-person.ts'
import { removeAccount } from '../users/delete-user.ts'
import {
  addReleasedBlobs,
  blockUsers,
  countRows,
  deleteAllRows,
  deleteOpenLinks,
  hasUsers,
  holdWaitingEmails,
  insertRows,
  isRestored,
  listBlobs,
  readTextsWithAddresses,
  removeFilesOfBlobs,
} from './backup.queries.ts'
import { finishRestoredRuns } from './backup-run.queries.ts'
import type { CheckedBackup } from './check-backup.ts'
import { inOrder, items } from './contents.ts'
import { currentJournal, type Journal, ofOwnTables } from './journal.ts'

/** The place that gets the site; what is in it is replaced. No program may use it meanwhile. */
export interface RestoreTarget extends Pick<Context, 'db' | 'dialect' | 'now'> {
  storage: Storage
  temporaryFiles: TemporaryFiles
  dataDir: string
  /** The secret of that place; undefined in an empty one. */
  secret: string | undefined
  /** The setting `SECRET` has it, so it is not replaced. */
  secretIsSetting: boolean
  ownTables: OwnTables
}

export interface RestoreSource {
  path: string
  identity: string
  backup: CheckedBackup
  /** That beside the backup. */
  journal: Journal | undefined
  /** The site was stopped before the backup and is used no more: its waiting emails are sent, and its open links work. */
  moved: boolean
  /** Ends the restore, which then changes nothing. */
  signal?: AbortSignal
}

export interface Restored {
  rows: number
  files: number
  /** That beside the backup, and that of the database that was replaced if it was in use: those of this site. */
  journals: number
  /** Addresses of people who are erased again. */
  erasedPeople: number
  /** Addresses of users who are blocked because they were blocked or deleted since. */
  blockedUsers: string[]
  /** Emails that waited and are not sent by themselves. */
  heldEmails: number
  /** The setting `SECRET` is not the secret of the backup. */
  otherSecret: boolean
}

/** Whether there is a site that somebody uses. */
export const isOccupied = (target: Pick<Context, 'db'>): Promise<boolean> => hasUsers(target.db)

/**
 * Replaces the site by that of a checked backup. The files come first, which changes nothing yet; everything in the database
 * is one transaction. So a restore that is cut off leaves the site as it was.
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
      await dialect.copy.continueIds(tx, ofOwnTables(lastIds, target.ownTables))
    }

    await removeFilesOfBlobs(tx, manifest.deletedBlobs, now)
    await addReleasedBlobs(tx, blobsBefore, now)
    const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
    const files = manifest.items.filter(({ name }) => name.startsWith(items.file(''))).length
    await finishRestoredRuns(tx, { name: basename(path), bytes: (await stat(path)).size, rows, files }, now)
    const heldEmails = moved ? 0 : await holdEmails(tx, header.madeAt, now)
    if (!moved) await deleteOpenLinks(tx)
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
    // A lost connection hides whether the commit succeeded: without an answer of the database everything stays.
    const isCommitted = await isRestored(db, now).catch(() => true)
    if (!isCommitted && !wasCutOff) await rm(unfinishedRestoreIn(target.dataDir), { force: true })
    if (!isCommitted) await removeAdded(target, added)
    throw error
  })
  await finishSecret(target, secret)
  await dialect.purgeDeleted(db)
  return { ...restored, otherSecret: target.secretIsSetting && target.secret !== secret }
}

/** Stores the files beside those of the site: their ids are random, so that none replaces another. */
async function addFiles(
  { storage, temporaryFiles }: RestoreTarget,
  from: RestoreSource,
  added: Set<string>,
): Promise<void> {
  await temporaryFiles.withFolder(async (folder) => {
    const file = join(folder, 'file')
    await readAgain(from, async (name, content) => {
      if (!name.startsWith(items.file(''))) return
      const key = name.slice(items.file('').length)
      added.add(key.split('/')[0] ?? '')
      await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600, flush: true }))
      await storage.put(key, file, 'application/octet-stream')
    })
  })
}

/** Removes the files of a restore that failed, except those that the site has too. Without the database they stay. */
async function removeAdded({ db, storage }: RestoreTarget, added: ReadonlySet<string>): Promise<void> {
  const used = await listBlobs(db).catch(() => [...added])
  for (const blobId of added.difference(new Set(used))) await storage.remove(blobId).catch(() => {})
}

/**
 * Reads the archive once more after its check.
 * @throws {UnusableArchive} when it is not what was checked: it may have been written to meanwhile
 */
async function readAgain(
  { path, identity, backup: { manifest }, signal }: RestoreSource,
  take: Parameters<typeof readArchive>[2],
): Promise<void> {
  const found = (await readArchive(path, identity, take, signal)).filter(({ name }) => name !== items.manifest)
  if (JSON.stringify(found) !== JSON.stringify(manifest.items)) {
    throw new UnusableArchive(path, 'was changed while it was restored. Nothing of the site was changed.')
  }
}

async function refuseOtherCounts(tx: Transaction, { path, backup }: RestoreSource): Promise<void> {
  for (const [table, expected] of Object.entries(backup.manifest.rows)) {
    const found = await countRows(tx, table)
    if (found === expected) continue
    throw new UnusableArchive(path, `has ${expected} rows of ${table}, of which ${found} were restored.`)
  }
}

/**
 * Removes all tables, and creates those of the version that made the backup, empty.
 * @param filled those that the backup fills, in its order
 */
async function replaceTables(
  { dialect, ownTables }: RestoreTarget,
  tx: Transaction,
  migrations: readonly string[],
  filled: readonly string[],
): Promise<void> {
  const { copy } = dialect
  const present = (await copy.listTables(tx)).filter(({ name }) => ownTables.has(name))
  const dropped = inOrder(present, await copy.listReferences(tx)).reverse()
  await copy.dropTables(
    tx,
    dropped.map(({ name }) => name),
  )
  await runMigrations(tx as never, dialect, migrations).then(throwError)
  // Migrations insert roles and the like.
  for (const name of filled.toReversed()) await deleteAllRows(tx, name)
}

function throwError({ error }: { error?: unknown }): void {
  if (error !== undefined) throw error
}

const rowsAtOnce = 200
/** Of their text; rows are of very different sizes. */
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
    }
    if (table) await insertRows(tx, target, table, rows)
  })
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const part of content) {
    const lines = `${rest}${decoder.decode(part, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const holdEmails = (tx: Transaction, madeAt: string, now: Date): Promise<number> =>
  holdWaitingEmails(
    tx,
    `not sent: it waited in the backup of ${madeAt}, from which this site was restored, and may have been sent since`,
    now,
  )

/** Does again what happened since the backup and must not be undone. */
async function applyJournals(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  tx: Transaction,
  journals: readonly Journal[],
  madeAt: string,
): Promise<Pick<Restored, 'erasedPeople' | 'blockedUsers'>> {
  const entries = journals.flatMap((journal) => journal.entries)
  // What the backup's own journal has was done before its rows were read, whatever the clocks say.
  const done = await readJournal(tx)
  const isDone = (entry: JournalEntry) =>
    done.some(({ kind, subject, at }) => kind === entry.kind && subject === entry.subject && at >= entry.at)
  const since = entries.filter((entry) => !isDone(entry))
  await addToJournal(tx, since)
  const deleted = since.filter(({ kind }) => kind === 'user_deleted').map(({ subject }) => Number(subject))
  const blocked = journals.filter(({ at }) => at > madeAt).flatMap(({ blockedUsers }) => blockedUsers)

  const erased = new Set(since.filter(({ kind }) => kind === 'erased').map(({ subject }) => subject))
  const found = erased.size === 0 ? [] : await findAddresses(ctx, tx, erased)
  for (const email of found) {
    await erasePersonalData(tx, ctx, email, (user) => removeAccount(tx, user.id, ctx.now()))
  }
  return { erasedPeople: found.length, blockedUsers: await blockUsers(tx, [...new Set([...deleted, ...blocked])]) }
}

/** The addresses in the database whose keyed hash is one of these. */
async function findAddresses(
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

/** What may be an address in a text: a quote may be its first letter or stand around it, and a full stop may follow it. */
export const addressesIn = (text: string): string[] =>
  [text.trim(), ...(text.match(/[^\s"<>()[\],;:\\]+@[^\s"'<>()[\],;:\\]+/g) ?? [])]
    .flatMap((address) => [address, address.replace(/^'+/, '')])
    .flatMap((address) => [address, address.replace(/\.+$/, '')])
    .map((address) => address.toLowerCase())

/** From here until the database is replaced, and another secret with it, the program does not start. */
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
