import { realpathSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { estimateBackupBytes } from '../domain/backup/make-backup.ts'
import { restoreCopy } from '../domain/backup/prove-backup.ts'
import { backUpForUpdate } from '../domain/backup/run-backup.ts'
import { listSitemapEntries } from '../domain/pages/find-live-page.ts'
import { createBackupParts } from '../platform/archive/backup-parts.ts'
import { folderTarget } from '../platform/archive/backup-target.ts'
import { unpackRelease } from '../platform/archive/unpack-release.ts'
import { UnusableArchive } from '../platform/archive/unusable-archive.ts'
import { launcherFolder, type UpdateOutcome } from '../platform/config/last-update.ts'
import { NotARelease, type Release, readRelease, whyNotBeside } from '../platform/config/release.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { InvalidSettings, readSettings, type Settings } from '../platform/config/settings.ts'
import { isMarked, whileMarked } from '../platform/config/while-marked.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { createTemporaryFiles } from '../platform/storage/temporary-files.ts'
import { print, withDatabaseAndSite } from './command-context.ts'
import { RehearsalFailed, rehearse } from './rehearse.ts'

/** Of `update`. */
const exitCodes = { kept: 0, refused: 1, undone: 3 }
const pagesCompared = 10
/** Free bytes per byte of the database: for its copy, the write-ahead log of the copy, and sorting. */
const spacePerByte = 3
const leastRoom = 50_000_000

/** Nothing was changed; the message is for the operator. */
class Refused extends Error {}
/** The launcher ended, and undoes the update at its next start. */
class LauncherStopped extends Error {}

interface LauncherStatus {
  /** The folder that the launcher was started with. */
  given: string
  /** The folder of the version that runs; an update changes it. */
  current: string
  version: string
  update?: object
  last?: UpdateOutcome
}
type Answer =
  | { status: LauncherStatus }
  | { checked: string }
  | { says: string }
  | { ended: UpdateOutcome }
  | { refused: string }

/**
 * `update <folder or archive>`: backs up, rehearses the new version on a copy, and lets the launcher replace the present
 * version by it.
 * @param options.acceptChanges also when pages look different without the release saying so
 * @returns 0 when the new version stays, 1 when nothing was changed, 3 when it was undone
 */
export async function update(source: string, options: { acceptChanges: boolean }): Promise<number> {
  try {
    const settings = readSettings()
    const marker = join(settings.dataDir, 'updating')
    // Another one would remove the version that this one unpacks.
    if (isMarked(marker)) throw new Refused('another update is being made, or was stopped less than a minute ago.')
    return await whileMarked(marker, () => replaceVersion(settings, resolve(source), options.acceptChanges))
  } catch (error) {
    if (error instanceof LauncherStopped) {
      process.stderr.write('The launcher was stopped. At its next start it goes back; `doctor` says so.\n')
      return exitCodes.undone
    }
    const expected = [Refused, RehearsalFailed, NotARelease, UnusableArchive, InvalidSettings]
    if (!expected.some((kind) => error instanceof kind)) throw error
    process.stderr.write(`The update was not made, and nothing was changed: ${(error as Error).message}\n`)
    return exitCodes.refused
  }
}

async function replaceVersion(settings: Settings, source: string, acceptChanges: boolean): Promise<number> {
  const launcher = join(launcherFolder(settings.dataDir), 'socket')
  const status = await findStatus(launcher)
  const present = readRelease(status.current)
  if (realpathSync(present.folder) !== realpathSync(process.cwd())) {
    throw new Refused(`${present.version} runs, so give the command in its folder: ${present.folder}`)
  }
  const next = readRelease(await findRelease(settings, source, launcher))
  const check = { do: 'check', folder: next.folder }
  await ask(launcher, check, (answer) => ('checked' in answer ? answer.checked : undefined))
  if (realpathSync(next.folder) === realpathSync(present.folder)) throw new Refused('this version runs already.')
  const reason = whyNotBeside(next, present)
  if (reason) throw new Refused(reason)
  print(`${present.version} runs, in ${present.folder}. ${next.version} is in ${next.folder}.`)

  const { changedPages } = await rehearseOnCopy(settings, { present, next })
  if (changedPages.length > 0) {
    const difference = `these pages look different, and the release does not say so: ${changedPages.join(', ')}`
    if (!acceptChanges) throw new Refused(`${difference}. When that is meant, add --accept-changes.`)
    print(`Accepted: ${difference}.`)
  }

  const request = { do: 'update', folder: next.folder, watchSeconds: settings.updateWatchSeconds }
  const ended = await ask(launcher, request, (answer) => {
    if ('says' in answer) print(answer.says)
    return 'ended' in answer ? answer.ended : undefined
  })
  if (ended.outcome === 'kept') {
    print(`${ended.to} stays.`)
    return exitCodes.kept
  }
  process.stderr.write(
    ended.outcome === 'undone'
      ? `The update was undone, and ${ended.from} serves: ${ended.reason}. Every message that was received is there.\n`
      : `${ended.to} has trouble (${ended.reason}), and ${ended.from} does not start any more. ${ended.to} goes on: see the log.\n`,
  )
  return exitCodes.undone
}

async function findStatus(launcher: string): Promise<LauncherStatus> {
  const status = await ask(launcher, { do: 'status' }, (answer) => ('status' in answer ? answer.status : undefined))
  if (status.update) throw new Refused('another update is being made.')
  return status
}

/** @returns the folder of the new version */
async function findRelease({ dataDir }: Settings, source: string, launcher: string): Promise<string> {
  const found = statSync(source, { throwIfNoEntry: false })
  if (!found) throw new Refused(`there is no ${source}.`)
  if (found.isDirectory()) return source
  const into = resolve(dataDir, 'versions')
  await mkdir(into, { recursive: true, mode: 0o700 })
  // Compressed, a release is a third of its size.
  const room = found.size * 4 + leastRoom
  await requireFreeSpace(into, room)
  print('Unpacking.')
  const { given, current } = await findStatus(launcher)
  const { folder, hash } = await unpackRelease(source, into, { inUse: [given, current], room })
  print(`The SHA-256 of the archive: ${hash}`)
  return folder
}

/** Backs the site up, restores that aside, and rehearses there. */
async function rehearseOnCopy(settings: Settings, versions: { present: Release; next: Release }) {
  const backupFolder = resolve(settings.backupDir)
  const backups = createBackupParts(settings)
  const storage = createStorage(settings)
  try {
    return await withDatabaseAndSite(async (operator) => {
      const bytes = await operator.dialect.size(operator.db)
      const databaseRoom = bytes * spacePerByte + leastRoom
      await mkdir(backupFolder, { recursive: true, mode: 0o700 })
      await requireFreeSpace(settings.dataDir, databaseRoom)
      await requireFreeSpace(backupFolder, databaseRoom + (await estimateBackupBytes(operator)))

      print('Backing up.')
      const secret = loadSecret(settings.dataDir, settings.secret)
      const context = { ...operator, secret, backups, uploads: { storage } }
      const { name, notRemoved } = await backUpForUpdate(context, backupFolder)
      print(`  ${join(backupFolder, name)}`)
      if (notRemoved) print(`  An older backup of an update was not removed: ${notRemoved}`)

      print(`Rehearsing ${versions.next.version} on a copy, which sends nothing.`)
      const pages = await listSitemapEntries(operator, { offset: 0, limit: pagesCompared })
      return createTemporaryFiles(resolve(settings.dataDir, 'arriving')).withFolder(async (folder) => {
        const copy = join(folder, 'site')
        await restoreCopy({ ...operator, backups }, folderTarget(backupFolder), join(backupFolder, name), copy)
        return rehearse(
          versions,
          copy,
          pages.map(({ path }) => path),
        )
      })
    })
  } finally {
    await storage.close()
  }
}

async function requireFreeSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= needed) return
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)
  throw new Refused(`${folder} has ${megabytes(bavail * bsize)} MB free, and ${megabytes(needed)} MB are needed.`)
}

/** @param take picks what is waited for */
function ask<T>(launcher: string, request: object, take: (answer: Answer) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const connection = connect(launcher)
    connection.once('error', (error: NodeJS.ErrnoException) => {
      const isAway = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
      const why = 'the launcher does not run on this DATA_DIR. See docs/operate/update.md.'
      reject(isAway ? new Refused(why) : error)
    })
    connection.once('close', () => reject(new LauncherStopped()))
    const lines = createInterface({ input: connection, crlfDelay: Number.POSITIVE_INFINITY })
    // readline repeats the connection's errors, which are handled above.
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const answer: Answer = JSON.parse(line)
      if ('refused' in answer) reject(new Refused(answer.refused))
      const taken = take(answer)
      if (taken !== undefined) {
        resolve(taken)
        connection.end()
      }
    })
    connection.write(`${JSON.stringify(request)}\n`)
  })
}
