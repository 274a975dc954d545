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
import { findUpdateProblem, NotARelease, type Release, readRelease } from '../platform/config/release.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { InvalidSettings, readSettings, type Settings } from '../platform/config/settings.ts'
import { isMarked, whileMarked } from '../platform/config/while-marked.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { createTemporaryFiles } from '../platform/storage/temporary-files.ts'
import { print, withDatabaseAndSite } from './command-context.ts'
import { RehearsalFailed, rehearse } from './rehearse.ts'

/** The exit codes of the command `update`. */
const exitCodes = { kept: 0, refused: 1, failed: 3 }
const maxComparedPages = 10
/** Required free bytes per byte of the database: for its copy, the write-ahead log of the copy, and sorting. */
const spacePerByte = 3
const minFreeBytes = 50_000_000

/** The update was refused before it changed anything; the message is for the operator. */
class Refused extends Error {}
/** The launcher was stopped during the update, which it undoes at its next start. */
class LauncherStopped extends Error {}

/** The launcher's response to `status`; see `scripts/launcher.mjs`. */
interface LauncherStatus {
  /** The folder of the version that the launcher was started with. */
  given: string
  /** The folder of the running version, which an update changes. */
  current: string
  version: string
  update?: object
  last?: UpdateOutcome
}
/** A line from the launcher. An update gives several: `says` is progress, `ended` the outcome. */
type LauncherMessage =
  | { status: LauncherStatus }
  | { checked: string }
  | { says: string }
  | { ended: UpdateOutcome }
  | { refused: string }

/**
 * The command `update <folder or archive>`: backs up, rehearses the new version on a copy, and lets the launcher
 * replace the current version by the new one.
 * @param options.acceptChanges whether to continue when pages look different and the release does not announce this
 * @returns the exit code: 0 when the new version stays, 1 when nothing was changed, 3 when the update failed: it was undone,
 * or the new version goes on in spite of its trouble, because the former one does not start any more, or the launcher was
 * stopped, and undoes it at its next start
 */
export async function update(source: string, options: { acceptChanges: boolean }): Promise<number> {
  try {
    const settings = readSettings()
    const marker = join(settings.dataDir, 'updating')
    // A second update would remove the version that the first one unpacks.
    if (isMarked(marker)) throw new Refused('another update is being made, or was stopped less than a minute ago.')
    return await whileMarked(marker, () => replaceVersion(settings, resolve(source), options.acceptChanges))
  } catch (error) {
    if (error instanceof LauncherStopped) {
      process.stderr.write('The launcher was stopped. At its next start it goes back; `doctor` says so.\n')
      return exitCodes.failed
    }
    const expected = [Refused, RehearsalFailed, NotARelease, UnusableArchive, InvalidSettings]
    if (!expected.some((kind) => error instanceof kind)) throw error
    process.stderr.write(`The update was not made, and nothing was changed: ${(error as Error).message}\n`)
    return exitCodes.refused
  }
}

async function replaceVersion(settings: Settings, source: string, acceptChanges: boolean): Promise<number> {
  const socket = join(launcherFolder(settings.dataDir), 'socket')
  const status = await findStatus(socket)
  const current = readRelease(status.current)
  if (realpathSync(current.folder) !== realpathSync(process.cwd())) {
    throw new Refused(`${current.version} runs, so give the command in its folder: ${current.folder}`)
  }
  const next = readRelease(await findRelease(settings, source, socket))
  const checkRequest = { do: 'check', folder: next.folder }
  await request(socket, checkRequest, (message) => ('checked' in message ? message.checked : undefined))
  if (realpathSync(next.folder) === realpathSync(current.folder)) throw new Refused('this version runs already.')
  const reason = findUpdateProblem(next, current)
  if (reason) throw new Refused(reason)
  print(`${current.version} runs, in ${current.folder}. ${next.version} is in ${next.folder}.`)

  const { changedPages } = await rehearseOnCopy(settings, { current, next })
  if (changedPages.length > 0) {
    const difference = `these pages look different, and the release does not say so: ${changedPages.join(', ')}`
    if (!acceptChanges) throw new Refused(`${difference}. When that is meant, add --accept-changes.`)
    print(`Accepted: ${difference}.`)
  }

  const updateRequest = { do: 'update', folder: next.folder, watchSeconds: settings.updateWatchSeconds }
  const result = await request(socket, updateRequest, (message) => {
    if ('says' in message) print(message.says)
    return 'ended' in message ? message.ended : undefined
  })
  if (result.outcome === 'kept') {
    print(`${result.to} stays.`)
    return exitCodes.kept
  }
  process.stderr.write(
    result.outcome === 'undone'
      ? `The update was undone, and ${result.from} serves: ${result.reason}. Every message that was received is there.\n`
      : `${result.to} has trouble (${result.reason}), and ${result.from} does not start any more. ${result.to} goes on: see the log.\n`,
  )
  return exitCodes.failed
}

async function findStatus(socket: string): Promise<LauncherStatus> {
  const status = await request(socket, { do: 'status' }, (message) =>
    'status' in message ? message.status : undefined,
  )
  if (status.update) throw new Refused('another update is being made.')
  return status
}

/** Unpacks the new version if it is an archive. @returns the folder of the new version */
async function findRelease({ dataDir }: Settings, source: string, socket: string): Promise<string> {
  const sourceStats = statSync(source, { throwIfNoEntry: false })
  if (!sourceStats) throw new Refused(`there is no ${source}.`)
  if (sourceStats.isDirectory()) return source
  const versionsFolder = resolve(dataDir, 'versions')
  await mkdir(versionsFolder, { recursive: true, mode: 0o700 })
  // An unpacked release is about three times as large as its archive.
  const room = sourceStats.size * 4 + minFreeBytes
  await requireFreeSpace(versionsFolder, room)
  print('Unpacking.')
  const { given, current } = await findStatus(socket)
  const { folder, hash } = await unpackRelease(source, versionsFolder, { inUse: [given, current], maxBytes: room })
  print(`The SHA-256 of the archive: ${hash}`)
  return folder
}

/** Backs up the site, restores the backup as a copy, and rehearses the update on that copy. */
async function rehearseOnCopy(settings: Settings, versions: { current: Release; next: Release }) {
  const backupFolder = resolve(settings.backupDir)
  const backups = createBackupParts(settings)
  const storage = createStorage(settings)
  try {
    return await withDatabaseAndSite(async (operator) => {
      const bytes = await operator.dialect.size(operator.db)
      const databaseRoom = bytes * spacePerByte + minFreeBytes
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
      const pages = await listSitemapEntries(operator, { offset: 0, limit: maxComparedPages })
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

/** Sends a request, and reads messages until `select` returns a result. @throws {Refused} {LauncherStopped} */
function request<T>(socket: string, body: object, select: (message: LauncherMessage) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket)
    connection.once('error', (error: NodeJS.ErrnoException) => {
      const isStopped = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
      const advice = 'the launcher does not run on this DATA_DIR. See docs/operate/update.md.'
      reject(isStopped ? new Refused(advice) : error)
    })
    connection.once('close', () => reject(new LauncherStopped()))
    const lines = createInterface({ input: connection, crlfDelay: Number.POSITIVE_INFINITY })
    // readline emits the connection's errors again, which are handled above.
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const message: LauncherMessage = JSON.parse(line)
      if ('refused' in message) reject(new Refused(message.refused))
      const result = select(message)
      if (result !== undefined) {
        resolve(result)
        connection.end()
      }
    })
    connection.write(`${JSON.stringify(body)}\n`)
  })
}
