import type { Log } from './log/log.ts'

/** A background task that runs repeatedly, never twice at once. */
export interface Poller {
  /** Starts a run now, or right after the current one. */
  wake(): void
  /** Stops: no more runs start. Resolves when the current run has ended. */
  stop(): Promise<void>
}

/** The interval without due work. It is short, because a change by another process is only noticed at a run. */
export const idleIntervalMs = 5_000
/** The interval while work is due soon. */
export const busyIntervalMs = 1_000

/** The pause before the next run: `busyMs` if work is due (`next`) within `idleMs`, else `idleMs`. */
export const pollInterval = (
  next: Date | undefined,
  now: Date,
  idleMs = idleIntervalMs,
  busyMs = busyIntervalMs,
): number => (next && next.getTime() - now.getTime() < idleMs ? busyMs : idleMs)

/** The time between the first runs of pollers: if all ran at once, each would open a connection to PostgreSQL. */
const staggerMs = 25
let startedPollers = 0

/**
 * Runs a task soon, and again after each pause. The beginning and the end of failing are logged, not each failure.
 * @param options.run does the due work, and returns the pause before the next run, in milliseconds
 * @param options.initialDelayMs the pause before the first run; without it at most half a second
 * @param options.retryMs the pause after a failure
 * @returns `runNow` is `wake`, and resolves when that run has ended, or rejects with its error
 */
export function startPoller(options: {
  /** The name of the task in the log, such as `sending email`. */
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
  let isWoken = false
  let isFailing = false

  const schedule = (ms: number) => {
    if (stopping.signal.aborted) return
    timer = setTimeout(wake, ms)
    timer.unref()
  }
  const runOnce = async (): Promise<number> => {
    try {
      const pauseMs = await options.run(stopping.signal)
      if (isFailing) log.info(`${task} works again`)
      isFailing = false
      return pauseMs
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) log.error({ err: error }, `${task} failed`)
      isFailing = true
      throw error
    }
  }
  /** Runs the task, and again while it was woken during a run. */
  const runUntilIdle = async () => {
    let pauseMs = retryMs
    try {
      do {
        isWoken = false
        pauseMs = await runOnce()
      } while (isWoken && !stopping.signal.aborted)
    } finally {
      running = undefined
      schedule(isFailing ? retryMs : pauseMs)
    }
  }
  const runNow = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve()
    isWoken = true
    clearTimeout(timer)
    running ??= runUntilIdle()
    return running
  }
  // `runOnce` has logged the error.
  const wake = () => void runNow().catch(() => {})

  schedule(options.initialDelayMs ?? staggerMs * (startedPollers++ % 20))
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
