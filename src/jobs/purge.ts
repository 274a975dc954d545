import { dayMs } from '../contract/limits.ts'
import { defaultRetention } from '../contract/retention.ts'
import { purgeAudit } from '../domain/audit/purge-audit.ts'
import { purgeMessages } from '../domain/messages/change-messages.ts'
import { replyTemplate } from '../domain/messages/message-email.ts'
import { purgeSignIn } from '../domain/sign-in/purge-sign-in.ts'
import { purgeViews } from '../domain/views/views.ts'
import type { Context } from '../platform/context.ts'
import { inBatches } from '../platform/in-batches.ts'
import type { Log } from '../platform/log/log.ts'
import { deleteOldEmails } from '../platform/mail/outbox.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

const initialDelayMs = 60_000
const intervalMs = 6 * 60 * 60_000
/** Longer than usual: after a failure all steps run again, and some are costly. */
const purgeRetryMs = 10 * 60_000
const eraseRetryMs = 60_000
/** 24 days, just below the maximum of a timer. `purge` wakes the job for rows that it could not erase at once. */
const idlePauseMs = 24 * dayMs
const batchSize = 500

type PurgeContext = Omit<Context, 'actor'>

/** Deletes data past its retention period: a minute after the start, then every six hours. */
export function startPurge(options: { context: () => PurgeContext; log: Log }): Poller {
  return startPoller({
    task: 'removing old data',
    log: options.log,
    initialDelayMs,
    retryMs: purgeRetryMs,
    async run(stopping) {
      const removed = await purge(options.context(), stopping)
      if (Object.values(removed).some((count) => count > 0)) options.log.info(removed, 'old data removed')
      return intervalMs
    },
  })
}

/**
 * Erases deleted rows from the database files, where a deletion leaves them readable: a minute after the start, in case a
 * process crashed before doing so, and every minute while another process, such as a backup, still reads the rows. Also
 * erases their words from the indexes for search, which takes longer.
 */
export function startDeletedRowsEraser(options: { context: () => PurgeContext; log: Log }): Poller {
  return startPoller({
    task: 'purging deleted data from the files of the database',
    log: options.log,
    initialDelayMs,
    retryMs: eraseRetryMs,
    async run() {
      const { db, dialect } = options.context()
      return (await dialect.purgeDeleted(db, { textIndexes: true })) ? idlePauseMs : eraseRetryMs
    },
  })
}

/**
 * Deletes messages, emails, audit entries and page views past their retention, files of deleted emails, and expired
 * sign-in data. Then the database returns free space to the disk. A step that fails does not stop the others.
 * @returns the number of deleted rows and files per kind
 * @throws the first error, after all steps
 */
export async function purge(
  ctx: PurgeContext,
  signal?: AbortSignal,
): Promise<{ messages: number; emails: number; files: number; signIn: number; views: number; audit: number }> {
  const errors: unknown[] = []
  /** Logs an error. @returns -1, the count of a failed step */
  const recordFailure = (error: unknown) => {
    ctx.log.warn({ err: error }, 'a step of removing old data failed')
    errors.push(error)
    return -1
  }
  const attempt = (step: () => Promise<number>) => step().catch(recordFailure)
  const messages = await attempt(() => purgeMessages(ctx, signal))
  const { emailDays } = ctx.site.retention ?? defaultRetention
  const emails = await attempt(() =>
    inBatches(batchSize, signal, () =>
      deleteOldEmails(ctx.db, {
        before: new Date(ctx.now().getTime() - emailDays * dayMs),
        limit: batchSize,
        exceptUnsentTemplate: replyTemplate,
      }),
    ),
  )
  // After the messages: deleting a message deletes its emails from the outbox, and an email file lives no longer than
  // its email.
  const files = await attempt(() => ctx.mail.deleteOrphanedFiles())
  const signIn = await attempt(() => purgeSignIn(ctx, signal))
  const views = await attempt(() => purgeViews(ctx, signal))
  const audit = await attempt(() => purgeAudit(ctx, signal))
  await ctx.dialect.reclaimSpace(ctx.db, signal).catch(recordFailure)
  // These have texts of people, which are erased at once. A step that failed, -1, may have deleted some.
  const mayHaveDeleted = messages !== 0 || emails !== 0 || audit !== 0
  if (mayHaveDeleted && !(await ctx.dialect.purgeDeleted(ctx.db).catch(() => false))) ctx.wake.deletedRows()
  if (errors.length > 0) throw errors[0]
  return { messages, emails, files, signIn, views, audit }
}
