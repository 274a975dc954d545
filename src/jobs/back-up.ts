import { runDueBackup } from '../domain/backup/run-backup.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { busyIntervalMs, idleIntervalMs, type Poller, startPoller } from './poller.ts'

/** Makes backups by the clock, and those that somebody asked for. */
export function startBackups(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'making backups',
    log: options.log,
    run: async (stopping) =>
      (await runDueBackup(options.context(), stopping)) && !stopping.aborted ? busyIntervalMs : idleIntervalMs,
  })
}
