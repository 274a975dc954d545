import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { ClaimedBackup } from '../domain/backup/run-backup.ts'
import type { ClaimedProof } from '../domain/backup/run-proof.ts'
import type { Context } from '../platform/context.ts'
import { giveTask } from '../platform/task-process.ts'

/** The task of a backup process: one claimed backup or proof. */
export type BackupTask = { backup: ClaimedBackup } | { proof: ClaimedProof }

/** Does a task, which records its outcome itself. Rejects when the process of it died. */
export type RunBackupTask = (ctx: Pick<Context, 'uploads'>, task: BackupTask, stopping: AbortSignal) => Promise<void>

/** After this a process is killed that does not even end itself, five seconds after it is asked to. */
const endWithinMs = 10_000

/** Far above what it needs, and far below the memory of a server: it grows with the number of stored files alone. */
const heapMegabytes = 1_024

/** Does a task in a process of its own, at the lowest priority. Its log lines go into the log of this process. */
export const runBackupProcess: RunBackupTask = ({ uploads }, task, stopping) =>
  // The folder of this process, so that it is removed also when the other one is killed.
  uploads.temporaryFiles.withFolder(async (folder) => {
    stopping.throwIfAborted()
    const flags = [`--max-old-space-size=${heapMegabytes}`, ...process.execArgv]
    const entry = join(import.meta.dirname, 'backup-process.js')
    const child = spawn(process.execPath, [...flags, entry], { stdio: ['pipe', 'inherit', 'inherit'] })
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    giveTask(child, { ...task, folder }, constants.priority.PRIORITY_LOW)
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      child.stdin.end()
      killing = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    }
    stopping.addEventListener('abort', stop, { once: true })
    try {
      const [code, signal] = await ended
      if (code !== 0) throw new Error(`its process was ended by ${signal ?? `an error (code ${code}): see the log`}`)
    } finally {
      stopping.removeEventListener('abort', stop)
      clearTimeout(killing)
    }
  })
