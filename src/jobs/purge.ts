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

const firstMs = 60_000
const everyMs = 6 * 60 * 60_000
/** A failed step repeats all of them, of which some are costly. */
const afterFailureMs = 10 * 60_000
const retryMs = 60_000
/** 24 days, just below the maximum of a timer. Deletions that could not be erased at once wake the job. */
const nothingDueMs = 24 * dayMs
const batchSize = 500

type PurgeContext = Omit<Context, 'actor'>

/** Deletes data past its retention period: a minute after the start, and every six hours. */
export function startPurge(options: { context: () => PurgeContext; log: Log }): Poller {
  return startPoller({
    task: 'removing old data',
    log: options.log,
    initialDelayMs: firstMs,
    retryMs: afterFailureMs,
    async run(stopping) {
      const removed = await purge(options.context(), stopping)
      if (Object.values(removed).some((count) => count > 0)) options.log.info(removed, 'old data removed')
      return everyMs
    },
  })
}

/**
 * Erases deleted rows from the database files: a minute after the start, in case the program crashed before doing so, and
 * every minute while another process, such as a backup, still reads them.
 */
export function startDeletedRowsEraser(options: { context: () => PurgeContext; log: Log }): Poller {
  return startPoller({
    task: 'purging deleted data from the files of the database',
    log: options.log,
    initialDelayMs: firstMs,
    async run() {
      const { db, dialect } = options.context()
      return (await dialect.purgeDeleted(db, { textIndexes: true })) ? nothingDueMs : retryMs
    },
  })
}

/**
 * Deletes messages, emails, audit entries and page views past their retention, files of deleted emails, and expired sign-in
 * data. Then the database returns free space to the disk. A step that fails does not stop the others.
 * @throws the first error, after all steps
 */
export async function purge(
  ctx: PurgeContext,
  signal?: AbortSignal,
): Promise<{ messages: number; emails: number; files: number; signIn: number; views: number; audit: number }> {
  const errors: unknown[] = []
  const failed = (error: unknown) => {
    ctx.log.warn({ err: error }, 'a step of removing old data failed')
    errors.push(error)
    return -1
  }
  const attempt = (step: () => Promise<number>) => step().catch(failed)
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
  await ctx.dialect.reclaimSpace(ctx.db, signal).catch(failed)
  // A step that failed may have deleted rows before.
  const mayHaveDeleted = messages !== 0 || emails !== 0 || audit !== 0
  if (mayHaveDeleted && !(await ctx.dialect.purgeDeleted(ctx.db).catch(() => false))) ctx.wake.deletedRows()
  if (errors.length > 0) throw errors[0]
  return { messages, emails, files, signIn, views, audit }
}
