import { postPendingEvents, recordCheckRun } from '../domain/health/alarms.ts'
import type { DatabaseAlarm } from '../domain/health/database-alarm.ts'
import type { HealthMonitor } from '../domain/health/health.ts'
import { queueMonthlyReport } from '../domain/health/monthly-report.ts'
import type { Context } from '../platform/context.ts'
import { isDatabaseUnavailable } from '../platform/db/database.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

const initialDelayMs = 60_000
const intervalMs = 5 * 60_000

/**
 * Runs the health checks for the metrics, the health page, alerts and the monthly report: every five minutes, or five
 * seconds after a run that failed.
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
    initialDelayMs,
    async run() {
      const results = await monitor.runChecks()
      try {
        if (await recordCheckRun(context(), results)) await postPendingEvents(context())
        await databaseAlarm.recordAvailable(context())
      } catch (error) {
        // A damaged file or a missing table is no outage, but the outbox cannot be used for the alert either.
        const databaseFailed = results.some(({ check, outcome }) => check === 'database' && outcome === 'failed')
        if (databaseFailed || isDatabaseUnavailable(error)) await databaseAlarm.recordUnavailable(context())
        throw error
      }
      // Last, so that a report that fails does not delay alerts.
      await queueMonthlyReport(context(), results)
      return intervalMs
    },
  })
}
