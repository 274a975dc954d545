import { runDueBackup } from '../domain/backup/run-backup.ts'
import { runDueProof } from '../domain/backup/run-proof.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { busyIntervalMs, idleIntervalMs, type Poller, startPoller } from './poller.ts'

/** Runs scheduled and queued backups and proofs. */
export function startBackups(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'making backups',
    log: options.log,
    run: async (stopping) => {
      const done = (await runDueBackup(options.context(), stopping)) ?? (await runDueProof(options.context(), stopping))
      return done && !stopping.aborted ? busyIntervalMs : idleIntervalMs
    },
  })
}
