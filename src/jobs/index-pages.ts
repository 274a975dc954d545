import { refreshSearchIndex } from '../domain/pages/search-index.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** Hourly, because texts may contain the current year as a placeholder. */
const intervalMs = 60 * 60_000

/** Updates the search index at the start, hourly, and whenever it is woken after a change of content. */
export function startSearchIndexer(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'refreshing the search index',
    log: options.log,
    async run(stopping) {
      await refreshSearchIndex(options.context(), stopping)
      return intervalMs
    },
  })
}
