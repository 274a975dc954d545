import { mailLimits } from '../contract/mail-server.ts'
import { readDeliveryReports } from '../domain/mail/mailbox.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** Reads delivery reports from the mailbox every two minutes; of several instances only one reads at a time. */
export function startMailboxReader(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'reading the mailbox',
    log: options.log,
    async run(stopping) {
      const matched = await readDeliveryReports(options.context(), stopping)
      if (matched > 0) options.log.info({ reports: matched }, 'emails were reported as not delivered')
      return mailLimits.mailboxPauseMs
    },
  })
}
