import { mailLimits } from '../contract/mail-server.ts'
import { loadEmailData, renderEmail } from '../domain/email-templates.ts'
import { healthAlarmTemplate } from '../domain/health/alarms.ts'
import { createDatabaseAlarm, type DirectAlert } from '../domain/health/database-alarm.ts'
import type { HealthMonitor } from '../domain/health/health.ts'
import { readDeliveryReports } from '../domain/mail/mailbox.ts'
import { markAnsweredBySentReply } from '../domain/messages/reply-to-message.ts'
import { nextScheduledAt, publishScheduled } from '../domain/pages/publish-scheduled.ts'
import { refreshSearchIndex } from '../domain/pages/search-index.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import type { Transport } from '../platform/mail/transport.ts'
import { idleIntervalMs, type Poller, startPoller } from '../platform/poller.ts'
import { startBackups } from './back-up.ts'
import { startHealthJob } from './check-health.ts'
import { startImageJob } from './make-images.ts'
import { startDeletedRowsEraser, startPurge } from './purge.ts'
import { runBackupProcess } from './run-backup-process.ts'
import { type MailEvent, startMailWorker } from './send-mail.ts'

/** The pollers of the jobs. `purge` deletes old rows; `deletedRows` erases deleted rows from the database files. */
export type Jobs = Record<
  'mail' | 'mailbox' | 'images' | 'pages' | 'search' | 'purge' | 'deletedRows' | 'backups' | 'health',
  Poller
>

/**
 * Starts the background jobs of one process; the caller stops each poller. `app.ts` imports this file late, because it
 * loads all modules of the jobs.
 */
export function startJobs(options: {
  /** Called for each run: the configuration may have changed. */
  context: () => Omit<Context, 'actor'>
  transport: () => Transport
  monitor: HealthMonitor
  countEvent?: (name: MailEvent) => void
  /** Whether backups and proofs (test restores) run in a separate process. */
  backupProcesses: boolean
}): Jobs {
  const { context, transport, monitor, countEvent, backupProcesses } = options
  const { db, dialect, log, now } = context()
  const databaseAlarm = createDatabaseAlarm({
    send: () => (context().mail.sends ? sendAlarm : undefined),
  })
  /** Sends without the outbox, which is in the unavailable database; `id` 0, because the email is not stored. */
  const sendAlarm = async ({ messageId, locale, data }: DirectAlert) => {
    const email = await renderEmail(context().site, locale, healthAlarmTemplate, data)
    const signal = AbortSignal.timeout(60_000)
    await transport().send({ ...email, id: 0, messageId, recipient: data.to, date: now(), signal })
  }
  return {
    mail: startMailWorker({
      db,
      dialect,
      log,
      now,
      site: () => context().site,
      transport,
      loadData: (claim) => loadEmailData(context(), claim),
      onSent: (tx, email) => markAnsweredBySentReply(tx, context(), email),
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

interface JobOptions {
  context: () => Omit<Context, 'actor'>
  log: Log
}

/** Reads delivery reports from the mailbox every two minutes; of several instances only one reads at a time. */
const startMailboxReader = ({ context, log }: JobOptions): Poller =>
  startPoller({
    task: 'reading the mailbox',
    log,
    async run(stopping) {
      const matched = await readDeliveryReports(context(), stopping)
      if (matched > 0) log.info({ reports: matched }, 'emails were reported as not delivered')
      return mailLimits.mailboxPauseMs
    },
  })

const minPublishPauseMs = 50

/** Publishes and unpublishes pages on schedule, and at the start those whose moment passed while nothing ran. */
const startPagePublisher = ({ context, log }: JobOptions): Poller =>
  startPoller({
    task: 'publishing scheduled pages',
    log,
    async run() {
      const ctx = context()
      await publishScheduled(ctx)
      const nextAt = await nextScheduledAt(ctx)
      const pauseMs = nextAt ? nextAt.getTime() - ctx.now().getTime() : idleIntervalMs
      return Math.min(Math.max(pauseMs, minPublishPauseMs), idleIntervalMs)
    },
  })

/** Hourly, because texts may contain the current year as a placeholder. */
const indexIntervalMs = 60 * 60_000

/** Updates the search index at the start, hourly, and whenever it is woken after a change of content. */
const startSearchIndexer = ({ context, log }: JobOptions): Poller =>
  startPoller({
    task: 'refreshing the search index',
    log,
    async run(stopping) {
      await refreshSearchIndex(context(), stopping)
      return indexIntervalMs
    },
  })
