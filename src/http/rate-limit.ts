import type { MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../contract/errors.ts'
import type { Env } from './env.ts'

export interface RateLimit {
  /**
   * Counts one attempt, also a refused one.
   * @throws {Refusal} `too_many` when the key is over its limit
   */
  count(key: string): void
}

/** The maximum number of keys, about 10 MB; the least recently used key is evicted first. */
const maxKeys = 50_000

/** Creates a limit of `maxAttempts` attempts of a key within `windowMs` of its first one, in this process. */
export function createRateLimit(settings: { maxAttempts: number; windowMs: number; now: () => Date }): RateLimit {
  // With `max` instead, the cache would allocate its memory at the start.
  const windows = new LRUCache<string, { attempts: number; until: number }>({
    maxSize: maxKeys,
    sizeCalculation: () => 1,
  })
  return {
    count(key) {
      const now = settings.now().getTime()
      const current = windows.get(key)
      // A clock that was set back must not lengthen the window.
      const isRunning = current && current.until > now && current.until - now <= settings.windowMs
      const window = isRunning ? current : { attempts: 0, until: now + settings.windowMs }
      if (window !== current) windows.set(key, window)
      window.attempts++
      if (window.attempts > settings.maxAttempts)
        throw new Refusal('too_many', { retryAfter: (window.until - now) / 1_000 })
    },
  }
}

/**
 * Limits the tasks that run at a time, of one key and in total. No task waits, so that slow clients do not delay
 * others.
 * @returns runs a task; throws a `Refusal`, `too_many`, above a limit
 */
export function createConcurrencyLimit(settings: { perKey: number; inAll: number }) {
  const running = new Map<string, number>()
  let total = 0
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const ofKey = running.get(key) ?? 0
    if (ofKey >= settings.perKey || total >= settings.inAll) throw new Refusal('too_many', { retryAfter: 5 })
    running.set(key, ofKey + 1)
    total++
    try {
      return await task()
    } finally {
      total--
      const left = (running.get(key) ?? 1) - 1
      if (left > 0) running.set(key, left)
      else running.delete(key)
    }
  }
}

/** Limits the writes of each signed-in user, over all routes. */
export const limitWrites =
  (writes: RateLimit): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { actor } = c.var.ctx
    if (actor && c.req.method !== 'GET' && c.req.method !== 'HEAD') writes.count(String(actor.id))
    await next()
  }
