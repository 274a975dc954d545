import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aLog } from '../../test/support/test-log.ts'
import { idleIntervalMs, startPoller } from './poller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** @returns the times of its runs */
function aPoller(different: { initialDelayMs?: number } = {}) {
  const runs: number[] = []
  const run = async () => {
    runs.push(Date.now())
    return idleIntervalMs
  }
  const poller = startPoller({ task: 'counting', run, log: aLog().log, ...different })
  return { runs, ...poller }
}

test('pollers that start together never run at the same moment, nor in later rounds', async () => {
  const pollers = Array.from({ length: 9 }, () => aPoller())
  await vi.advanceTimersByTimeAsync(500 + 2 * idleIntervalMs)
  const runs = pollers.flatMap((one) => one.runs)
  expect(runs.length).toBeGreaterThanOrEqual(2 * 9)
  expect(new Set(runs).size).toBe(runs.length)
})

test('a poller that is woken runs at once, and not again at the time of its first run', async () => {
  const poller = aPoller({ initialDelayMs: 1_000 })
  const began = Date.now()
  await poller.runNow()
  await vi.advanceTimersByTimeAsync(idleIntervalMs - 1)
  expect(poller.runs).toEqual([began])
})
