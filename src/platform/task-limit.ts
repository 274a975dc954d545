import { Refusal } from '../contract/errors.ts'

/**
 * Runs a limited number of tasks at a time, in the order of their calls.
 * @param settings.atOnce the maximum number of running tasks
 * @param settings.waiting the maximum length of each of the two queues
 * @param settings.full creates the refusal when the queue is full; by default `too_many`
 * @returns runs a task; with `first`, the task waits in the queue that is served first
 */
export function createTaskLimit(settings: { atOnce: number; waiting: number; full?: () => Refusal }) {
  const { atOnce, waiting, full = () => new Refusal('too_many', { retryAfter: 1 }) } = settings
  let running = 0
  const queues: Record<'first' | 'later', (() => void)[]> = { first: [], later: [] }
  return async <T>(task: () => Promise<T>, queue: keyof typeof queues = 'later'): Promise<T> => {
    if (running < atOnce) running++
    else {
      if (queues[queue].length >= waiting) throw full()
      // A finished task passes its slot to the next one, so `running` does not change.
      await new Promise<void>((resolve) => queues[queue].push(resolve))
    }
    try {
      return await task()
    } finally {
      const next = queues.first.shift() ?? queues.later.shift()
      if (next) next()
      else running--
    }
  }
}
