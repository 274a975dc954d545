import { performBackup } from './domain/backup/run-backup.ts'
import { performProof } from './domain/backup/run-proof.ts'
import type { BackupTask } from './jobs/run-backup-process.ts'
import { readSettings } from './platform/config/settings.ts'
import { createLog } from './platform/log/log.ts'
import { createTemporaryFiles } from './platform/storage/temporary-files.ts'
import { receiveTask } from './platform/task-process.ts'

/*
 * The entry point of the child process that makes one backup, or proves one, so that visitors wait for neither. It opens the
 * site like any other instance, but serves nobody and runs no jobs. It stops when its input ends, so it never outlives the
 * server.
 */

/** A snapshot has connections of its own. */
const databasePoolSize = 2
const stopWithinMs = 5_000

// Files contain personal data: only their owner may read them.
process.umask(0o077)

const stopping = new AbortController()
const { folder, ...task } = await receiveTask<BackupTask & { folder: string }>(() => {
  stopping.abort()
  // An exit would wait for a disk that does not answer.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopWithinMs).unref()
})
const settings = readSettings()
const log = createLog(settings.logLevel)
try {
  const { createApp } = await import('./app.ts')
  const app = await createApp({ settings: { ...settings, databasePoolSize }, log })
  const ctx = app.context()
  const withOwnFolder = { ...ctx, uploads: { ...ctx.uploads, temporaryFiles: createTemporaryFiles(folder) } }
  if ('backup' in task) await performBackup(withOwnFolder, task.backup, stopping.signal)
  else await performProof(withOwnFolder, task.proof, stopping.signal)
  await app.stop()
  process.exit(0)
} catch (error) {
  log.error({ err: error }, 'the process of a backup failed')
  process.exit(1)
}
