import { nextScheduledAt, publishScheduled } from '../domain/pages/publish-scheduled.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { idleIntervalMs, type Poller, startPoller } from '../platform/poller.ts'

const minPauseMs = 50

/** Publishes and unpublishes pages on schedule, and at the start those whose moment passed while nothing ran. */
export function startPagePublisher(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'publishing scheduled pages',
    log: options.log,
    async run() {
      const ctx = options.context()
      await publishScheduled(ctx)
      const nextAt = await nextScheduledAt(ctx)
      const pauseMs = nextAt ? nextAt.getTime() - ctx.now().getTime() : idleIntervalMs
      return Math.min(Math.max(pauseMs, minPauseMs), idleIntervalMs)
    },
  })
}
