import { runDueBackup } from '../domain/backup/run-backup.ts'
import { runDueProof } from '../domain/backup/run-proof.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { busyIntervalMs, idleIntervalMs, type Poller, startPoller } from '../platform/poller.ts'
import type { BackupTask, RunBackupTask } from './run-backup-process.ts'

/**
 * Runs scheduled and queued backups and proofs (test restores of a backup).
 * @param options.runTask runs each in another process; omitted: in this one
 */
export function startBackups(options: {
  context: () => Omit<Context, 'actor'>
  log: Log
  runTask?: RunBackupTask | undefined
}): Poller {
  const { context, log, runTask } = options
  return startPoller({
    task: 'making backups',
    log,
    run: async (stopping) => {
      const ctx = context()
      const runInProcess =
        runTask &&
        (async (task: BackupTask) => {
          // Reloads a changed configuration, because the process gets a copy of it.
          await ctx.wake.invalidation()
          return runTask(context(), task, stopping)
        })
      const claimed =
        (await runDueBackup(ctx, stopping, runInProcess && ((backup) => runInProcess({ backup })))) ??
        (await runDueProof(ctx, stopping, runInProcess && ((proof) => runInProcess({ proof }))))
      return claimed && !stopping.aborted ? busyIntervalMs : idleIntervalMs
    },
  })
}
