import { loadEmailData, renderEmail } from '../domain/email-templates.ts'
import { healthAlarmTemplate } from '../domain/health/alarms.ts'
import { createDatabaseAlarm } from '../domain/health/database-alarm.ts'
import type { HealthMonitor } from '../domain/health/health.ts'
import type { Context } from '../platform/context.ts'
import type { Transport } from '../platform/mail/transport.ts'
import type { Poller } from '../platform/poller.ts'
import { startBackups } from './back-up.ts'
import { startHealthJob } from './check-health.ts'
import { startSearchIndexer } from './index-pages.ts'
import { startImageJob } from './make-images.ts'
import { startPagePublisher } from './publish-pages.ts'
import { startDeletedRowsEraser, startPurge } from './purge.ts'
import { startMailboxReader } from './read-mailbox.ts'
import { runBackupProcess } from './run-backup-process.ts'
import { startMailWorker } from './send-mail.ts'

export type Jobs = Record<
  'mail' | 'mailbox' | 'images' | 'pages' | 'search' | 'purge' | 'deletedRows' | 'backups' | 'health',
  Poller
>

/** Starts the jobs of one process of the site. Loading this file loads what the jobs need, for which no visitor waits. */
export function startJobs(options: {
  context: () => Omit<Context, 'actor'>
  transport: () => Transport
  monitor: HealthMonitor
  countEvent?: Parameters<typeof startMailWorker>[0]['countEvent']
  /** Backups and proofs get processes of their own. */
  backupProcesses: boolean
}): Jobs {
  const { context, transport, monitor, countEvent, backupProcesses } = options
  const { db, dialect, log, now } = context()
  const databaseAlarm = createDatabaseAlarm({
    send: () =>
      context().mail.sends
        ? async ({ messageId, locale, data }) => {
            const email = await renderEmail(context().site, locale, healthAlarmTemplate, data)
            const signal = AbortSignal.timeout(60_000)
            await transport().send({ ...email, id: 0, messageId, recipient: data.to, date: now(), signal })
          }
        : undefined,
  })
  return {
    mail: startMailWorker({
      db,
      dialect,
      log,
      now,
      site: () => context().site,
      transport,
      loadData: (claim) => loadEmailData(context(), claim),
      ...(countEvent && { countEvent }),
    }),
    images: startImageJob({ context, log }),
    mailbox: startMailboxReader({ context, log }),
    pages: startPagePublisher({ context, log }),
    search: startSearchIndexer({ context, log }),
    purge: startPurge({ context, log }),
    deletedRows: startDeletedRowsEraser({ context, log }),
    backups: startBackups({ context, log, ...(backupProcesses && { runTask: runBackupProcess }) }),
    health: startHealthJob({ context, monitor, databaseAlarm, log }),
  }
}
