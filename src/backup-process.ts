import { buildId } from 'virtual:build-id'
import { withDatabase } from './cli/command-context.ts'
import { performBackup } from './domain/backup/run-backup.ts'
import { performProof } from './domain/backup/run-proof.ts'
import { type BackupProcessTask, otherBuildExitCode } from './jobs/run-backup-process.ts'
import { createBackupParts, longStatementTimeoutMs } from './platform/archive/backup-parts.ts'
import { loadSecret } from './platform/config/secret.ts'
import { readSettings } from './platform/config/settings.ts'
import { endProcess, waitForOpenFiles } from './platform/end-process.ts'
import { createLog } from './platform/log/log.ts'
import { createStorage } from './platform/storage/create-storage.ts'
import { createTemporaryFiles } from './platform/storage/temporary-files.ts'
import { receiveTask, throttleCpu } from './platform/task-process.ts'

/*
 * The entry point of the child process that makes one backup, or proves one by a test restore, so that neither slows the
 * site down. A backup needs the database and the files, as on the command line; a proof opens the whole app, but serves
 * no requests from outside and runs no jobs. The process stops when its input ends, so it never outlives the server.
 */

type Task<Kind extends 'backup' | 'proof'> = Extract<BackupProcessTask, Record<Kind, unknown>>

/**
 * Settings for the site's own database during a proof: few connections, because the proof works on the restored copy,
 * and a long timeout, because a process of low priority may read a response long after it arrived.
 */
const databaseSettingsOfProof = { databasePoolSize: 2, databaseTimeoutMs: longStatementTimeoutMs }
const stopTimeoutMs = 5_000

// Files contain personal data: only their owner may read them.
process.umask(0o077)

const stopping = new AbortController()
const task = await receiveTask<BackupProcessTask>(() => {
  stopping.abort()
  // `process.exit` would wait for a disk that does not respond.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeoutMs).unref()
})
// A newer build, installed while the server runs, would migrate the database that the server uses.
if (task.build !== buildId) process.exit(otherBuildExitCode)
const settings = readSettings()
const log = createLog(settings.logLevel)
throttleCpu()
try {
  await ('backup' in task ? backUp(task) : prove(task))
  await waitForOpenFiles()
  endProcess(0)
} catch (error) {
  log.error({ err: error }, 'the process of a backup failed')
  endProcess(1)
}

async function backUp({ backup, site, configuration }: Task<'backup'>): Promise<void> {
  const storage = createStorage(settings)
  const backups = { ...createBackupParts(settings), configuration: () => configuration }
  const secret = loadSecret(settings.dataDir, settings.secret)
  await withDatabase(
    async (operator) => {
      await performBackup({ ...operator, site, secret, backups, uploads: { storage }, log }, backup, stopping.signal)
      exitWithinTimeout()
    },
    { allowLongStatements: true, mayMigrate: false },
  )
  await storage.close()
}

async function prove({ proof, site, folder }: Task<'proof'>): Promise<void> {
  const { createApp } = await import('./app.ts')
  // The requests of a proof are not visits, so they are not logged at level `info`.
  const quietLog = log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level })
  const app = await createApp({ settings: { ...settings, ...databaseSettingsOfProof }, log: quietLog, site })
  const ctx = app.context()
  const proofContext = { ...ctx, uploads: { ...ctx.uploads, temporaryFiles: createTemporaryFiles(folder) } }
  await performProof(proofContext, proof, stopping.signal)
  exitWithinTimeout()
  await app.stop()
}

/** Ends the process soon even if closing hangs: the outcome is stored already, and the server waits for the exit. */
function exitWithinTimeout(): void {
  setTimeout(() => endProcess(0), stopTimeoutMs)
}
