import type { MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../contract/errors.ts'
import type { Env } from './env.ts'

export interface RateLimit {
  /**
   * Counts one attempt.
   * @throws {Refusal} `too_many` when the key is over its limit
   */
  count(key: string): void
}

/** Keys held at most, about 10 MB; the least recently used one is evicted first. */
const maxKeys = 50_000

/** Allows each key `maxAttempts` attempts within `windowMs` of its first one, in this process. */
export function createRateLimit(settings: { maxAttempts: number; windowMs: number; now: () => Date }): RateLimit {
  // With `max` the cache would take its memory at the start.
  const windows = new LRUCache<string, { attempts: number; until: number }>({
    maxSize: maxKeys,
    sizeCalculation: () => 1,
  })
  return {
    count(key) {
      const now = settings.now().getTime()
      const known = windows.get(key)
      // A clock that was set back must not lengthen the window.
      const isRunning = known && known.until > now && known.until - now <= settings.windowMs
      const window = isRunning ? known : { attempts: 0, until: now + settings.windowMs }
      if (window !== known) windows.set(key, window)
      window.attempts++
      if (window.attempts > settings.maxAttempts)
        throw new Refusal('too_many', { retryAfter: (window.until - now) / 1_000 })
    },
  }
}

/**
 * Runs a limited number of tasks at a time, of one key and in all. None waits, so that slow clients do not hold up others.
 * @throws {Refusal} `too_many`
 */
export function createConcurrencyLimit(settings: { perKey: number; inAll: number }) {
  const running = new Map<string, number>()
  let all = 0
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const own = running.get(key) ?? 0
    if (own >= settings.perKey || all >= settings.inAll) throw new Refusal('too_many', { retryAfter: 5 })
    running.set(key, own + 1)
    all++
    try {
      return await task()
    } finally {
      all--
      const left = (running.get(key) ?? 1) - 1
      if (left > 0) running.set(key, left)
      else running.delete(key)
    }
  }
}

/** Limits the writes of one signed-in user in a minute, over all routes. */
export const limitWrites =
  (writes: RateLimit): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { actor } = c.var.ctx
    if (actor && c.req.method !== 'GET' && c.req.method !== 'HEAD') writes.count(String(actor.id))
    await next()
  }
