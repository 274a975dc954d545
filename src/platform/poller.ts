import type { Log } from './log/log.ts'

/** A background task that runs repeatedly, never twice at once. */
export interface Poller {
  /** Starts a run now, or right after the current one. */
  wake(): void
  /** Starts no more runs. Resolves when the current one has ended. */
  stop(): Promise<void>
}

/**
 * How often a task without work that is due runs. Short, because a change made by another process is noticed only at
 * the next poll.
 */
export const idleIntervalMs = 5_000
export const busyIntervalMs = 1_000

/** The short interval when work is due within the long one, otherwise the long one. */
export const pollInterval = (
  next: Date | undefined,
  now: Date,
  idleMs = idleIntervalMs,
  busyMs = busyIntervalMs,
): number => (next && next.getTime() - now.getTime() < idleMs ? busyMs : idleMs)

/** How far apart the first runs of the pollers of a process are: all at once, each would open a connection to PostgreSQL. */
const apartMs = 25
let started = 0

/**
 * Runs a task soon and again after each pause. The log reports when it begins to fail and when it works again, not each
 * failure in between.
 * @param options.run does what is due, and returns the pause before the next run
 * @param options.initialDelayMs the pause before the first run; without it at most half a second
 * @param options.retryMs the pause after a failure
 * @returns `runNow` is `wake`, and resolves when that run has ended, or rejects with its error
 */
export function startPoller(options: {
  /** For the log: `sending email`. */
  task: string
  run: (stopping: AbortSignal) => Promise<number>
  log: Log
  initialDelayMs?: number
  retryMs?: number
}): Poller & { runNow(): Promise<void> } {
  const { task, log, retryMs = idleIntervalMs } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wokenMeanwhile = false
  let failing = false

  const schedule = (ms: number) => {
    if (stopping.signal.aborted) return
    timer = setTimeout(wake, ms)
    timer.unref()
  }
  const runOnce = async (): Promise<number> => {
    try {
      const pauseMs = await options.run(stopping.signal)
      if (failing) log.info(`${task} works again`)
      failing = false
      return pauseMs
    } catch (error) {
      if (!failing && !stopping.signal.aborted) log.error({ err: error }, `${task} failed`)
      failing = true
      throw error
    }
  }
  const runUntilIdle = async () => {
    let pauseMs = retryMs
    try {
      do {
        wokenMeanwhile = false
        pauseMs = await runOnce()
      } while (wokenMeanwhile && !stopping.signal.aborted)
    } finally {
      running = undefined
      schedule(failing ? retryMs : pauseMs)
    }
  }
  const runNow = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve()
    wokenMeanwhile = true
    clearTimeout(timer)
    running ??= runUntilIdle()
    return running
  }
  // The error is logged.
  const wake = () => void runNow().catch(() => {})

  schedule(options.initialDelayMs ?? apartMs * (started++ % 20))
  return {
    wake,
    runNow,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running?.catch(() => {})
    },
  }
}
