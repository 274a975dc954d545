import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, totalmem } from 'node:os'
import { join } from 'node:path'
import { buildId } from 'virtual:build-id'
import type { SiteConfig } from '../contract/site-config.ts'
import type { ClaimedBackup } from '../domain/backup/run-backup.ts'
import { type ClaimedProof, ProcessKilled } from '../domain/backup/run-proof.ts'
import { ExplainedError } from '../i18n/reason.ts'
import { hasHeapLimit, singleThreadedEnvironment } from '../platform/config/settings.ts'
import type { Context } from '../platform/context.ts'
import { sendTask } from '../platform/task-process.ts'

/** The task of a backup process: one claimed backup, or one claimed proof (a test restore of a backup). */
export type BackupTask = { backup: ClaimedBackup } | { proof: ClaimedProof }

/**
 * The message to the process: the task, with the configuration and build that the server has in memory. The files on
 * disk may have changed since the server started.
 */
export type BackupProcessTask = {
  /** The build id of the server. */
  build: string
  site: SiteConfig
  /** A folder for temporary files. */
  folder: string
} & (
  | {
      backup: ClaimedBackup
      /** The text of the configuration file. */
      configuration: string
    }
  | { proof: ClaimedProof }
)

/**
 * Runs a task. Its process stores the outcome, also when it is told to stop.
 * @throws {ProcessKilled} when a signal ended it; {ExplainedError} when it could not begin or crashed
 */
export type RunBackupTask = (
  ctx: Pick<Context, 'uploads' | 'site' | 'backups'>,
  task: BackupTask,
  stopping: AbortSignal,
) => Promise<void>

/** The exit code of a process whose build id differs from the server's. */
export const otherBuildExitCode = 3

/** The process ends itself five seconds after it is told to stop; after this time the server kills it. */
const killAfterMs = 10_000

/** Far more than a task needs; its need grows with the number of stored files, not with their size. */
const maxHeapMegabytes = 1_024

/**
 * Runs a task in a separate process of low priority, with one computing thread: on a busy machine the scheduler of the
 * system lets each further one delay requests by some milliseconds. The output of the process goes to the log of this one.
 */
export const runBackupProcess: RunBackupTask = ({ uploads, site, backups }, task, stopping) =>
  // This process makes and removes the folder, also when the other one is killed.
  uploads.temporaryFiles.withFolder(async (folder) => {
    stopping.throwIfAborted()
    const shared = { build: buildId, site, folder }
    const message: BackupProcessTask =
      'backup' in task ? { ...shared, ...task, configuration: backups.configuration() } : { ...shared, ...task }
    const entryPoint = join(import.meta.dirname, 'backup-process.js')
    const flags = ['--single-threaded', ...heapLimit(), ...process.execArgv]
    // Pipes, not inherited streams: Node makes inherited ones synchronous, which would block this process too.
    const child = spawn(process.execPath, [...flags, entryPoint], { stdio: 'pipe', env: singleThreadedEnvironment() })
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    // A process that could not be started has no streams; then `ended` rejects.
    for (const output of [child.stdout, child.stderr]) output?.pipe(process.stdout, { end: false })
    sendTask(child, message, constants.priority.PRIORITY_BELOW_NORMAL)
    let killTimer: NodeJS.Timeout | undefined
    const stop = () => {
      // The end of its input tells the process to stop.
      child.stdin?.end()
      killTimer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    stopping.addEventListener('abort', stop, { once: true })
    try {
      const [code, signal] = await ended
      if (signal) throw new ProcessKilled({ key: 'processKilled', signal })
      if (code === otherBuildExitCode) throw new ExplainedError({ key: 'otherBuild' })
      if (code !== 0) throw new ExplainedError({ key: 'processFailed', code: code ?? 0 })
    } finally {
      stopping.removeEventListener('abort', stop)
      clearTimeout(killTimer)
    }
  })

/** The flag that limits the heap to a gigabyte and to half of the memory; none when the operator has set a limit. */
function heapLimit(): string[] {
  if (hasHeapLimit()) return []
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return [`--max-old-space-size=${Math.min(maxHeapMegabytes, Math.floor(bytes / 2 / 1_048_576))}`]
}
