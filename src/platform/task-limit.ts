import { Refusal } from '../contract/errors.ts'

/**
 * Runs a limited number of tasks at a time, in the order of their calls.
 * @param settings.full the refusal when as many wait already; `too_many` without it
 * @returns takes `first` for a task that waits in a queue of its own, which is served first
 */
export function createTaskLimit(settings: { atOnce: number; waiting: number; full?: () => Refusal }) {
  const { atOnce, waiting, full = () => new Refusal('too_many', { retryAfter: 1 }) } = settings
  let running = 0
  const queues: Record<'first' | 'later', (() => void)[]> = { first: [], later: [] }
  return async <T>(task: () => Promise<T>, turn: keyof typeof queues = 'later'): Promise<T> => {
    if (running < atOnce) running++
    else {
      if (queues[turn].length >= waiting) throw full()
      // A finished task passes its slot to the next one, so `running` does not change.
      await new Promise<void>((resolve) => queues[turn].push(resolve))
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
