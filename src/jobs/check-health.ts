import { callWebhook, tellTrouble } from '../domain/health/alarms.ts'
import type { HealthMonitor } from '../domain/health/health.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from './poller.ts'

const firstMs = 60_000
const everyMs = 5 * 60_000

/** Looks every five minutes whether all is well, for metrics, the screen and alarms. */
export function startHealthJob(options: {
  context: () => Omit<Context, 'actor'>
  monitor: HealthMonitor
  log: Log
}): Poller {
  const { context, monitor, log } = options
  return startPoller({
    task: 'checking the health of the site',
    log,
    initialDelayMs: firstMs,
    async run() {
      if (await tellTrouble(context(), await monitor.look())) await callWebhook(context())
      return everyMs
    },
  })
}
