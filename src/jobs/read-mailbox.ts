import { mailLimits } from '../contract/mail-server.ts'
import { readDeliveryReports } from '../domain/mail/mailbox.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** Reads delivery reports from the mailbox every two minutes, in one instance at a time. */
export function startMailboxReader(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'reading the mailbox',
    log: options.log,
    async run(stopping) {
      const tied = await readDeliveryReports(options.context(), stopping)
      if (tied > 0) options.log.info({ reports: tied }, 'emails were reported as not delivered')
      return mailLimits.mailboxPauseMs
    },
  })
}
