import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/log/log.ts'
import type { Cdn } from '../platform/net/cdn.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** Other instances notice a change within 0.4 seconds; until then the CDN would store their old pages again. */
const defaultSettleMs = 2_000
const pauseMs = 60 * 60_000
/** The maximum number of tags to remember while the CDN does not answer; above it, everything is purged. */
const maxRememberedTags = 1_000

export interface CdnPurger extends Poller {
  /** Queues tags for purging; a failed purge is retried until the CDN accepts it. */
  add(tags: readonly string[] | 'all'): void
  /** Since when every purge failed; undefined while they are accepted. */
  failingSince(): Date | undefined
}

/**
 * Purges changed content from the CDN. At the start it purges everything: another version may render pages differently, and
 * a killed process may not have purged its last changes.
 */
export function startCdnPurger(parts: { cdn: Cdn; log: Log; now: () => Date; settleMs?: number }): CdnPurger {
  const { settleMs = defaultSettleMs } = parts
  let outdated: Set<string> | 'all' = 'all'
  let failingSince: Date | undefined
  const add = (tags: readonly string[] | 'all') => {
    outdated = tags === 'all' || outdated === 'all' ? 'all' : new Set([...outdated, ...tags])
    if (outdated !== 'all' && outdated.size > maxRememberedTags) outdated = 'all'
  }
  const poller = startPoller({
    task: 'purging the CDN',
    log: parts.log,
    async run(stopping) {
      if (outdated !== 'all' && outdated.size === 0) return pauseMs
      await pause(settleMs, undefined, { signal: stopping })
      const tags = outdated === 'all' ? outdated : [...outdated]
      outdated = new Set()
      try {
        await parts.cdn.purge(tags, stopping)
        failingSince = undefined
      } catch (error) {
        add(tags)
        failingSince ??= parts.now()
        throw error
      }
      return pauseMs
    },
  })
  return {
    ...poller,
    failingSince: () => failingSince,
    add(tags) {
      add(tags)
      poller.wake()
    },
  }
}
