import type { HealthMonitor } from '../domain/health/health.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from './poller.ts'

const firstMs = 60_000
const everyMs = 5 * 60_000

/** Looks every five minutes whether all is well, so that metrics and the screen have recent results. */
export function startHealthJob({ monitor, log }: { monitor: HealthMonitor; log: Log }): Poller {
  return startPoller({
    task: 'checking the health of the site',
    log,
    initialDelayMs: firstMs,
    async run() {
      await monitor.look()
      return everyMs
    },
  })
}
