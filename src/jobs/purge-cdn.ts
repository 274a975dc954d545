import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/log/log.ts'
import type { Cdn } from '../platform/net/cdn.ts'
import { type Poller, startPoller } from '../platform/poller.ts'

/** The pause before a purge: other instances notice a change within 0.4 s, and serve old pages until then. */
const defaultSettleMs = 2_000
const idlePauseMs = 60 * 60_000
/** The maximum number of tags to queue while the CDN does not respond; above it, everything is purged. */
const maxPendingTags = 1_000

export interface CdnPurger extends Poller {
  /** Queues tags for purging; a failed purge is retried until the CDN accepts it. */
  add(tags: readonly string[] | 'all'): void
  /** When the current series of failed purges began; undefined after a success. */
  failingSince(): Date | undefined
}

/**
 * Purges changed content from the CDN. The first purge is of everything: a new version may render pages differently,
 * and a killed process may not have purged its last changes.
 * @param options.settleMs the pause before a purge, in tests
 */
export function startCdnPurger(options: { cdn: Cdn; log: Log; now: () => Date; settleMs?: number }): CdnPurger {
  const { settleMs = defaultSettleMs } = options
  let pendingTags: Set<string> | 'all' = 'all'
  let failingSince: Date | undefined
  const add = (tags: readonly string[] | 'all') => {
    pendingTags = tags === 'all' || pendingTags === 'all' ? 'all' : new Set([...pendingTags, ...tags])
    if (pendingTags !== 'all' && pendingTags.size > maxPendingTags) pendingTags = 'all'
  }
  const poller = startPoller({
    task: 'purging the CDN',
    log: options.log,
    async run(stopping) {
      if (pendingTags !== 'all' && pendingTags.size === 0) return idlePauseMs
      await pause(settleMs, undefined, { signal: stopping })
      const tags = pendingTags === 'all' ? pendingTags : [...pendingTags]
      pendingTags = new Set()
      try {
        await options.cdn.purge(tags, stopping)
        failingSince = undefined
      } catch (error) {
        add(tags)
        failingSince ??= options.now()
        throw error
      }
      return idlePauseMs
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
