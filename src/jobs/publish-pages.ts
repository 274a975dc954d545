import { nextScheduledAt, publishScheduled } from '../domain/pages/publish-scheduled.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { longestPauseMs, type Poller, startPoller } from './poller.ts'

const minPauseMs = 50

/** Publishes and unpublishes pages on schedule; at the start also those that were missed. */
export function startPagePublisher(parts: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'publishing scheduled pages',
    log: parts.log,
    async run() {
      const ctx = parts.context()
      await publishScheduled(ctx)
      const next = await nextScheduledAt(ctx)
      const pauseMs = next ? next.getTime() - ctx.now().getTime() : longestPauseMs
      return Math.min(Math.max(pauseMs, minPauseMs), longestPauseMs)
    },
  })
}
