import { nextScheduledAt, publishScheduled } from '../domain/pages/publish-scheduled.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { idleIntervalMs, type Poller, startPoller } from '../platform/poller.ts'

const minPauseMs = 50

/** Publishes and unpublishes pages on schedule; at the start also those that were missed. */
export function startPagePublisher(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'publishing scheduled pages',
    log: options.log,
    async run() {
      const ctx = options.context()
      await publishScheduled(ctx)
      const next = await nextScheduledAt(ctx)
      const pauseMs = next ? next.getTime() - ctx.now().getTime() : idleIntervalMs
      return Math.min(Math.max(pauseMs, minPauseMs), idleIntervalMs)
    },
  })
}
