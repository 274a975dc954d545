import { runDueBackup } from '../domain/backup/run-backup.ts'
import { runDueProof } from '../domain/backup/run-proof.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { busyIntervalMs, idleIntervalMs, type Poller, startPoller } from '../platform/poller.ts'
import type { RunBackupTask } from './run-backup-process.ts'

/**
 * Runs scheduled and queued backups and proofs.
 * @param options.runTask where each is made; without it in this process
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
      const run =
        runTask &&
        (async (task: Parameters<RunBackupTask>[1]) => {
          // A process gets the configuration of this moment.
          await ctx.wake.invalidation()
          return runTask(context(), task, stopping)
        })
      const done =
        (await runDueBackup(ctx, stopping, run && ((backup) => run({ backup })))) ??
        (await runDueProof(ctx, stopping, run && ((proof) => run({ proof }))))
      return done && !stopping.aborted ? busyIntervalMs : idleIntervalMs
    },
  })
}
