import { refreshSearchIndex } from '../domain/pages/search-index.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, startPoller } from './poller.ts'

/** The year is one of the placeholders. */
const pauseMs = 60 * 60_000

/** Reads the texts again that visitors search, after each change of content that they may show. */
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
