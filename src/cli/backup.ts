import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { BackupProof, ProofFindings } from '../contract/backups.ts'
import { Refusal } from '../contract/errors.ts'
import {
  cancelProof,
  findProofById,
  isBackupOrProofRunning,
  queueProof,
  showRecoverySheetUnchecked,
} from '../domain/backup/backups.ts'
import {
  describeUnusable,
  findIntactBlobs,
  listUnusableBlobFiles,
  type UnusableBlobFile,
  withoutBlobFiles,
} from '../domain/backup/blob-files.ts'
import { type CheckedBackup, checkBackup } from '../domain/backup/check-backup.ts'
import { readJournalNextTo } from '../domain/backup/journal.ts'
import { isOccupied, type Restored, type RestoreSource, restoreBackup } from '../domain/backup/restore-backup.ts'
import { backUpTo } from '../domain/backup/run-backup.ts'
import { reasonText } from '../i18n/reason.ts'
import { backupKeyPath, createBackupKey, getBackupKey } from '../platform/archive/backup-key.ts'
import { createBackupParts } from '../platform/archive/backup-parts.ts'
import { folderTarget } from '../platform/archive/backup-target.ts'
import { UnusableArchive } from '../platform/archive/unusable-archive.ts'
import { refuseWhileRestoring, whileRestoring } from '../platform/config/restoring.ts'
import { findSecret, loadSecret } from '../platform/config/secret.ts'
import { InvalidSettings, readSettings, type Settings } from '../platform/config/settings.ts'
import { validating } from '../platform/config/unusable-settings.ts'
import { databaseDialect, readUnmigrated, sqlitePath } from '../platform/db/database.ts'
import { DatabaseTooNew, listMigrations } from '../platform/db/migrations/index.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { createTemporaryFiles } from '../platform/storage/temporary-files.ts'
import { print, refuse, withDatabase, withDatabaseAndSite } from './command-context.ts'

/** The command `backup [folder]`. @returns the exit code */
export async function writeBackup(folder: string | undefined): Promise<number> {
  const settings = readSettings()
  const target = resolve(folder ?? settings.backupDir)
  const backups = createBackupParts(settings)
  const existingKey = await backups.findKey()
  const storage = createStorage(settings)
  try {
    const backup = await withDatabaseAndSite((operator) => {
      const secret = loadSecret(settings.dataDir, settings.secret)
      return backUpTo({ ...operator, secret, backups, uploads: { storage } }, target)
    })
    print(
      `${join(target, backup.name)}\nRows: ${backup.rows}. Files: ${backup.files}. Megabytes: ${(backup.bytes / 1_000_000).toFixed(1)}.`,
    )
    if (backup.missingBlobs.length > 0) {
      print(`Not in the storage, though the database names them: ${backup.missingBlobs.join(', ')}.`)
    }
    if (backup.unreadableJournal) {
      print(
        `There was a journal that this key does not open, or that is damaged. It is now ${join(target, backup.unreadableJournal)}.`,
      )
    }
    if (!existingKey) {
      print(
        `\nThe key of the backups is new: ${backupKeyPath(settings.dataDir)}. Without it they cannot be opened.\n` +
          'Print it with `npm run --silent cli -- recovery-sheet`, and keep it apart from the backups.',
      )
    }
    return 0
  } finally {
    await storage.close()
  }
}

const pollIntervalMs = 500

/**
 * The command `prove`: queues a proof (a test restore of the newest backup) and waits for its result. The running
 * server does it, because it renders pages.
 * @param options.takenUpWithinMs how long to wait while no server works on a backup or proof
 * @returns the exit code
 */
export async function prove({ takenUpWithinMs = 30_000 } = {}): Promise<number> {
  const backups = createBackupParts(readSettings())
  return withDatabaseAndSite(async (operator) => {
    const queued = await queueProof({ ...operator, backups }, 'command').catch((error) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
    if (!queued) return refuse('There is no backup to prove. Make one first.')
    const { id } = queued.proof
    let deadline = Date.now() + takenUpWithinMs
    for (;;) {
      const proof = await findProofById(operator, id, 'en')
      if (!proof) return refuse('The proof is gone.')
      if (proof.findings) return reportProof(proof, proof.findings)
      if (await isBackupOrProofRunning(operator)) deadline = Date.now() + takenUpWithinMs
      else if (Date.now() > deadline) {
        if (proof.state === 'running') return refuse('The program stopped during the proof.')
        if (!queued.isNew || (await cancelProof(operator, id))) {
          return refuse(
            'No running program took it up. Start it first, or use `restore --check`, which reads a backup.',
          )
        }
      }
      await pause(pollIntervalMs)
    }
  })
}

function reportProof({ name, state, reason }: BackupProof, findings: ProofFindings): number {
  const { rows, files, pages, changedPages, signedIn } = findings
  if (state !== 'proved') {
    return refuse(`${state === 'failed' ? 'Cannot be restored' : 'Could not be checked'}: ${name}: ${reason}`)
  }
  print(
    `Proved: ${name} was restored aside. Rows: ${rows}. Files: ${files}. Pages that look the same: ${pages}, that changed since: ` +
      `${changedPages}. ${signedIn ? 'Signing in worked.' : 'Nobody may sign in.'}`,
  )
  return 0
}

/**
 * The command `recovery-sheet`: prints the key of the backups and how to use it.
 * @param options.replaceKey makes the key of these settings the key of all future backups
 * @returns the exit code
 */
export async function printRecoverySheet(options: { replaceKey: boolean }): Promise<number> {
  const settings = readSettings()
  const backups = createBackupParts(settings)
  return withDatabaseAndSite(async (operator) => {
    const origin = settings.baseUrl ?? operator.site.url
    const ctx = { ...operator, origin, actor: undefined, backups }
    process.stdout.write(await showRecoverySheetUnchecked(ctx, 'en', options))
    return 0
  })
}

/** The command `restore <archive>`. `moved`: no other site sends the waiting emails. @returns the exit code */
export async function restore(
  archive: string,
  options: { yes: boolean; moved: boolean; check: boolean; withoutDamaged?: boolean },
): Promise<number> {
  const settings = readSettings()
  // Checked before the backup is read, which can take hours.
  if (!options.check) refuseWhileRestoring(settings.dataDir)
  const path = resolve(archive)
  const key = await getBackupKey(settings.dataDir, settings.backupKey)
  const checkedBackup = await checkBackup(path, key.identity)
  const damaged = await listDamagedBlobs(path, key.identity, checkedBackup)
  // `--check` reports on the backup alone, not on the blobs that the site still has.
  const intact = options.check ? new Set<string>() : await findBlobsOfSite(settings, checkedBackup, damaged)
  const unusable = damaged.filter(({ blobId }) => !intact.has(blobId))
  const mustBeComplete = options.check || !options.withoutDamaged
  if (unusable.length > 0 && mustBeComplete) throw missingFilesError(path, checkedBackup, unusable)
  const backup = withoutBlobFiles(checkedBackup, unusable, intact)
  const journal = await readJournalNextTo(path, key.identity, backup.header.siteId)
  print(describeBackup(backup, damaged.length === 0))
  print(
    journal
      ? `The journal beside it has who was erased, blocked or deleted until ${journal.at}.`
      : 'No journal of this site stands beside it.',
  )
  if (unusable.length > 0) {
    print(`Left out: files that are missing or damaged, with what the site lists of them: ${unusable.length}.`)
  }
  if (intact.size > 0) {
    print(`Kept as the site has them: files that are missing or damaged beside the backup: ${intact.size}.`)
  }
  if (options.check) return 0
  const source = { path, identity: key.identity, backup, journal, moved: options.moved }
  const replace = () => replaceSite(settings, source, options.yes)
  return whileRestoring(settings.dataDir, replace).catch(adviseToMove(settings))
}

const listDamagedBlobs = async (path: string, identity: string, { blobFiles }: CheckedBackup) =>
  blobFiles ? listUnusableBlobFiles({ target: folderTarget(dirname(path)), identity }, blobFiles) : []

/** The ids of the damaged blobs that the current site still has undamaged: the restore leaves those where they are. */
async function findBlobsOfSite(
  settings: Settings,
  { blobFiles }: CheckedBackup,
  damaged: readonly UnusableBlobFile[],
): Promise<Set<string>> {
  if (!blobFiles || damaged.length === 0) return new Set()
  const storage = createStorage(settings)
  const blobIds = damaged.map(({ blobId }) => blobId)
  return findIntactBlobs(storage, blobFiles, blobIds).finally(() => storage.close())
}

function missingFilesError(path: string, { blobFiles }: CheckedBackup, unusable: UnusableBlobFile[]): UnusableArchive {
  const { folder = '', blobs = {} } = blobFiles ?? {}
  const problem = reasonText(describeUnusable(unusable, Object.keys(blobs).length), 'en')
  const advice = 'Bring them, or restore the rest with --without-damaged-files.'
  return new UnusableArchive(`${path} needs the folder ${folder} beside it, with ${problem}. ${advice}`)
}

/** @param yes skips the confirmation */
async function replaceSite(settings: Settings, source: RestoreSource, yes: boolean): Promise<number> {
  const { dataDir } = settings
  const setting = settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  if (await validating(setting, () => databaseDialect(settings).isInUse())) {
    return refuse('The database is in use: stop every copy of the program first. Nothing was changed.')
  }
  if (!yes && (await hasSite(settings)) && !(await confirmReplacement(settings))) return refuse('Nothing was changed.')
  const storage = createStorage(settings)
  try {
    return await withDatabase(
      async ({ db, dialect, now }) => {
        const restored = await restoreBackup(
          {
            db,
            dialect,
            now,
            storage,
            dataDir,
            temporaryFiles: createTemporaryFiles(join(dataDir, 'arriving')),
            secret: findSecret(dataDir, settings.secret),
            secretIsSetting: settings.secret !== undefined,
          },
          source,
        )
        print(describeRestore(restored))
        await createBackupKey(dataDir, source.identity)
        print(await writeConfiguration(settings, source.backup.configuration))
        return 0
      },
      { allowLongStatements: true, mayMigrate: true },
    )
  } finally {
    await storage.close()
  }
}

/** Whether the database has a site. Read without a migration, because nothing may change before the user confirms. */
const hasSite = (settings: Settings): Promise<boolean> =>
  readUnmigrated(settings, async (db) => (await listMigrations(db)).includes('0002-people') && isOccupied({ db }))

/** Advises to move an unreadable database away: it is not deleted, as only it knows who was erased since the backup. */
const adviseToMove =
  ({ databaseUrl, dataDir }: Settings) =>
  (error: Error): never => {
    const reason = error instanceof DatabaseTooNew ? error.message : unreadableError.exec(error.message)?.[0]
    if (!reason) throw error
    const wanted = databaseUrl
      ? 'that version of the program, or another database, which is empty'
      : `a database that can be read, or none: move ${sqlitePath(dataDir)} and the files whose names begin with it away`
    const setting = databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
    const found = `a database that cannot be replaced, because it cannot be read (${reason})`
    throw new InvalidSettings([{ name: setting, found, wanted }])
  }

/** SQLite's error messages for a damaged file. */
const unreadableError = /file is not a database|database disk image is malformed/

const describeBackup = ({ header, manifest, files }: CheckedBackup, isComplete: boolean): string => {
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  return `A ${isComplete ? 'complete ' : ''}backup of ${header.site}, made at ${header.madeAt} on ${header.database}. Rows: ${rows}. Files: ${files.length}.`
}

/** Asks the user to confirm that the site is replaced; false without a terminal. */
async function confirmReplacement({ databaseUrl, dataDir }: Settings): Promise<boolean> {
  const targetLabel = databaseUrl ? 'the database of DATABASE_URL' : resolve(dataDir)
  if (!process.stdin.isTTY) {
    process.stderr.write(`There is a site in ${targetLabel}. To replace it, add --yes.\n`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Replace the site in ${targetLabel}? Type yes: `)
  terminal.close()
  return answer.trim() === 'yes'
}

function describeRestore(restored: Restored): string {
  const { rows, files, journals, erasedPeople, blockedUsers, heldEmails, otherSecret } = restored
  return [
    `Restored. Rows: ${rows}. Files: ${files}. Everybody signs in again.`,
    ...(journals === 0
      ? ['No journal was applied: who was erased, blocked or deleted since the backup is in the site again.']
      : []),
    ...(erasedPeople > 0 ? [`Erased again, because they were erased since the backup: ${erasedPeople}.`] : []),
    ...(blockedUsers.length > 0
      ? [`Blocked, because they were blocked or deleted since: ${blockedUsers.join(', ')}.`]
      : []),
    ...(heldEmails > 0
      ? [`Emails that waited and may have been sent since: ${heldEmails}. See \`mail list --failed\`.`]
      : []),
    ...(otherSecret
      ? ['SECRET is not that of the backup: users with two-factor sign-in cannot sign in until it is set.']
      : []),
  ].join('\n')
}

/**
 * Writes the configuration file of the backup, but keeps an existing file that differs, and then writes another one
 * next to the data. A failure is only reported, because the site is restored already.
 * @returns the message for the operator
 */
async function writeConfiguration({ siteConfig, dataDir }: Settings, text: string): Promise<string> {
  const content = await readFile(siteConfig, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (content === text) return `${siteConfig} is that of the backup.`
  let problem = 'differs from that of the backup, and stays'
  if (content instanceof Error) {
    const failure = content.code === 'ENOENT' ? await tryToWrite(siteConfig, text) : content
    if (!failure) return `${siteConfig} was written.`
    problem = `cannot be read or written (${failure.message})`
  }
  const otherPath = join(dataDir, 'site.config.restored.json')
  const failure = await tryToWrite(otherPath, text)
  return `${siteConfig} ${problem}. That of the backup ${failure ? `was not written (${failure.message})` : `is ${otherPath}`}.`
}

/** @returns the error; undefined when the file was written */
async function tryToWrite(path: string, text: string): Promise<Error | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    return undefined
  } catch (error) {
    return error as Error
  }
}
