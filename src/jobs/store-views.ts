import { dayAt } from '../contract/day.ts'
import { type CountedViews, storePageViews } from '../domain/views/views.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

const intervalMs = 3_000

/**
 * Stores the counted page views every few seconds, and once more when it is stopped. Views count for the day on which
 * the interval began.
 * @param options.views the counts in memory; `restoreCounts` adds them back after a failure
 */
export function startViewWriter(options: {
  context: () => Pick<Context, 'transaction' | 'dialect' | 'now'>
  log: Log
  views: { takeCounts(): CountedViews; restoreCounts(counts: CountedViews): void }
}): Poller {
  const { context, log, views } = options
  let day = dayAt(context().now())
  const store = async () => {
    const counts = views.takeCounts()
    const countedOn = day
    day = dayAt(context().now())
    if (counts.pages.length === 0 && counts.bots === 0) return intervalMs
    try {
      await storePageViews(context(), { day: countedOn, ...counts })
    } catch (error) {
      views.restoreCounts(counts)
      day = countedOn
      throw error
    }
    return intervalMs
  }
  const poller = startPoller({ task: 'storing page views', run: store, log, initialDelayMs: intervalMs })
  return {
    ...poller,
    async stop() {
      await poller.stop()
      await store().catch((error) => log.error({ err: error }, 'the last page views were not stored'))
    },
  }
}
