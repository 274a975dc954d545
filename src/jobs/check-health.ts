import { postPendingEvents, recordCheckRun } from '../domain/health/alarms.ts'
import type { DatabaseAlarm } from '../domain/health/database-alarm.ts'
import type { HealthMonitor } from '../domain/health/health.ts'
import { reportMonth } from '../domain/health/monthly-report.ts'
import type { Context } from '../platform/context.ts'
import { isDatabaseUnavailable } from '../platform/db/database.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

const firstMs = 60_000
const everyMs = 5 * 60_000

/**
 * Runs the health checks, for the metrics, the health page, alerts and the monthly report: every five minutes, and after a run
 * that failed every five seconds.
 */
export function startHealthJob(options: {
  context: () => Omit<Context, 'actor'>
  monitor: HealthMonitor
  databaseAlarm: DatabaseAlarm
  log: Log
}): Poller {
  const { context, monitor, databaseAlarm, log } = options
  return startPoller({
    task: 'checking the health of the site',
    log,
    initialDelayMs: firstMs,
    async run() {
      const results = await monitor.runChecks()
      try {
        if (await recordCheckRun(context(), results)) await postPendingEvents(context())
        await databaseAlarm.recordAvailable(context())
      } catch (error) {
        // A damaged file or a missing table counts as no outage, but leaves no other way to alert.
        const isFailed = results.some(({ check, outcome }) => check === 'database' && outcome === 'failed')
        if (isFailed || isDatabaseUnavailable(error)) await databaseAlarm.recordUnavailable(context())
        throw error
      }
      // Last, because alarms must not wait for a report that fails.
      await reportMonth(context(), results)
      return everyMs
    },
  })
}
