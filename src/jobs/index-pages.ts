import { refreshSearchIndex } from '../domain/pages/search-index.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** Runs at least hourly, because the current year is a placeholder in texts. */
const pauseMs = 60 * 60_000

/** Updates the search index at the start, hourly, and whenever it is woken after a change of content. */
export function startSearchIndexer(parts: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  return startPoller({
    task: 'refreshing the search index',
    log: parts.log,
    async run(stopping) {
      await refreshSearchIndex(parts.context(), stopping)
      return pauseMs
    },
  })
}
