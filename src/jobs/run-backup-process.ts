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

/** The task of a backup process: one claimed backup or proof. */
export type BackupTask = { backup: ClaimedBackup } | { proof: ClaimedProof }

/** A task with what the server has: the files of the program and the configuration may have changed since it started. */
export type BackupProcessTask = {
  /** The build of the server. */
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

/** Does a task, which records its outcome itself. Rejects when the process of it died: {ProcessKilled} when a signal ended it. */
export type RunBackupTask = (
  ctx: Pick<Context, 'uploads' | 'site' | 'backups'>,
  task: BackupTask,
  stopping: AbortSignal,
) => Promise<void>

/** The exit code of a process that is not of the build of the server. */
export const otherBuildExitCode = 3

/** The process kills itself five seconds after it is asked to end; if it does not, the server kills it after this time. */
const endWithinMs = 10_000

/** Far above what it needs: that grows with the number of stored files alone. */
const mostHeapMegabytes = 1_024

/**
 * Does a task in a process of its own, of low priority, which computes in one thread at a time: each thread that
 * computes may make visitors wait until the next tick of the system's clock. Its log lines go into the log of this process.
 */
export const runBackupProcess: RunBackupTask = ({ uploads, site, backups }, task, stopping) =>
  // The folder of this process, so that it is removed also when the other one is killed.
  uploads.temporaryFiles.withFolder(async (folder) => {
    stopping.throwIfAborted()
    const message: BackupProcessTask = {
      ...{ build: buildId, site, folder },
      ...('backup' in task ? { ...task, configuration: backups.configuration() } : task),
    }
    const entry = join(import.meta.dirname, 'backup-process.js')
    // No stream is inherited: Node makes those block, also for this process, which shares them.
    const flags = ['--single-threaded', ...heapLimit(), ...process.execArgv]
    const child = spawn(process.execPath, [...flags, entry], { stdio: 'pipe', env: singleThreadedEnvironment() })
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    // A process that could not be started has no streams; `ended` tells why.
    for (const output of [child.stdout, child.stderr]) output?.pipe(process.stdout, { end: false })
    sendTask(child, message, constants.priority.PRIORITY_BELOW_NORMAL)
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      child.stdin?.end()
      killing = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    }
    stopping.addEventListener('abort', stop, { once: true })
    try {
      const [code, signal] = await ended
      if (signal) throw new ProcessKilled({ key: 'processKilled', signal })
      if (code === otherBuildExitCode) {
        throw new ExplainedError({ key: 'otherBuild' })
      }
      if (code !== 0) throw new ExplainedError({ key: 'processFailed', code: code ?? 0 })
    } finally {
      stopping.removeEventListener('abort', stop)
      clearTimeout(killing)
    }
  })

/** A flag with at most half of the memory that there is; none when the operator sets that limit. */
function heapLimit(): string[] {
  if (hasHeapLimit()) return []
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return [`--max-old-space-size=${Math.min(mostHeapMegabytes, Math.floor(bytes / 2 / 1_048_576))}`]
}
