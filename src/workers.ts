import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Reason, reasonOf, reasonText } from './i18n/reason.ts'
import type { UpdateOutcome } from './platform/config/last-update.ts'
import type { Settings } from './platform/config/settings.ts'
import { validating } from './platform/config/unusable-settings.ts'
import type { WakeableJob } from './platform/context.ts'
import { createLog } from './platform/log/log.ts'

/** `jobs`: also runs the background jobs; `serve`: only serves; `launched`: started by the launcher. */
type WorkerRole = 'jobs' | 'serve' | 'launched'

/** A message from a worker to the supervisor or the launcher. */
type Report =
  /** The worker accepts connections on this port. */
  | { port: number }
  | { job: WakeableJob }
  /** The number of responses since the last report, and how many of them were unexpected errors. */
  | { counted: { answered: number; failed: number } }
  /** The `CanaryResult`: `canary` is the problem in English, empty without one; `why` is it to be translated. */
  | { canary: string; why?: Reason; database?: CanaryResult['database'] }
  /** The time of the update that was recorded in the audit log. */
  | { recorded: string }
  /** A worker of this program ended unexpectedly. */
  | { lostWorker: true }

/** The result of the canary: a test message through the contact form, which leaves no trace. */
export interface CanaryResult {
  /** Undefined when the form works, or could not be tested. */
  problem?: Reason | string
  /** Why it could not be tested: the database is unavailable (`away`), or it responds but refuses this program. */
  database?: 'away' | 'refused'
}

/** A request by the launcher. The worker responds to `canary` and `record` with a report. */
type LauncherRequest = { canary: true } | { record: UpdateOutcome } | { stop: true }

/** The socket that the launcher passes on, which stays open while versions replace each other. */
const socketFd = 3

/** A worker that ran longer than this is restarted at once; the pause before another restart doubles each time. */
const steadyMs = 10_000
const maxPauseMs = 30_000

/** The role of this process under a supervisor or the launcher; undefined for a process that was started by itself. */
export function assignedWork(): { role: WorkerRole; port: number; fd: number | undefined } | undefined {
  const [, , role, port, socket] = process.argv
  return process.send && (role === 'jobs' || role === 'serve' || role === 'launched')
    ? { role, port: Number(port), fd: socket === 'socket' ? socketFd : undefined }
    : undefined
}

/** Wakes a job in the worker that runs the jobs. */
export const reportWork = (job: WakeableJob): void => report({ job })

/** Sends a message to the supervisor or the launcher. */
export const report = (message: Report): void => {
  // The supervisor may be gone; then this worker is about to stop.
  if (process.connected) process.send?.(message, () => {})
}

/** Reports that this worker serves, and handles requests of the supervisor. Stops when the supervisor has exited. */
export function followSupervisor(worker: {
  port: number
  wake(job: WakeableJob): void
  runCanary(): Promise<CanaryResult>
  record(update: UpdateOutcome): Promise<void>
  /** Called when `record` fails. */
  onRecordError(error: unknown): void
  stop(): void
}): void {
  /** The running and finished recordings by the time of the update. */
  const recordings = new Map<string, Promise<void>>()
  process.on('message', async (message: { job: WakeableJob } | LauncherRequest) => {
    if ('job' in message) worker.wake(message.job)
    else if ('stop' in message) worker.stop()
    else if ('canary' in message) {
      const { problem = '', ...database } = await worker
        .runCanary()
        .catch((error): CanaryResult => ({ problem: reasonOf(error) }))
      report({ canary: reasonText(problem, 'en'), ...(typeof problem === 'object' && { why: problem }), ...database })
    } else {
      const { at } = message.record
      // The launcher repeats the request until it is recorded, also while this worker records it.
      const recording = recordings.get(at) ?? worker.record(message.record)
      recordings.set(at, recording)
      await recording.then(
        () => report({ recorded: at }),
        (error) => {
          recordings.delete(at)
          worker.onRecordError(error)
        },
      )
    }
  })
  process.on('disconnect', worker.stop)
  // The supervisor may have exited while this worker started.
  if (process.connected) report({ port: worker.port })
  else worker.stop()
}

/**
 * Starts the workers, which share the port, and restarts a worker that exits. Never resolves: the process exits after the
 * workers were stopped, or when the first worker cannot start.
 */
export async function superviseWorkers(settings: Settings): Promise<never> {
  const log = createLog(settings.logLevel)
  const workers = new Map<number, ChildProcess>()
  let port = settings.port
  const stopped = new AbortController()
  let exitCode = 0

  const stop = (signal: 'SIGTERM' | 'SIGINT') => {
    stopped.abort()
    for (const worker of workers.values()) worker.kill(signal)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))

  const launched = assignedWork()
  // Stop when the launcher exits.
  if (launched) process.on('disconnect', () => stop('SIGINT'))
  process.on('message', (message: LauncherRequest) => {
    if ('stop' in message) {
      stopped.abort()
      for (const worker of workers.values()) worker.send(message, () => {})
    } else workers.get(0)?.send(message, () => {})
  })

  // Workers listen with `reusePort`, as another program may: it must not get half of the visitors.
  if (port !== 0 && launched?.fd === undefined) await validating('PORT', () => refuseUsedPort(settings))
  if (stopped.signal.aborted) process.exit(0)

  /** Starts one worker, and waits until it serves or exits. */
  const startWorker = async (index: number): Promise<ChildProcess> => {
    const role: WorkerRole = index === 0 ? 'jobs' : 'serve'
    const worker =
      launched?.fd === undefined
        ? fork(process.argv[1] ?? '', [role, String(port)])
        : fork(process.argv[1] ?? '', [role, String(port), 'socket'], {
            stdio: ['inherit', 'inherit', 'inherit', launched.fd, 'ipc'],
          })
    workers.set(index, worker)
    worker.on('exit', () => workers.delete(index))
    worker.on('error', (error) => log.error({ worker: index, err: error }, 'a worker failed'))
    const serving = new Promise<void>((resolve) => {
      worker.on('message', (message: Report) => {
        if ('job' in message) workers.get(0)?.send(message, () => {})
        else if ('port' in message) {
          port = message.port
          resolve()
        } else report(message)
      })
    })
    await Promise.race([serving, exitOf(worker)])
    return worker
  }
  const restartOnExit = async (index: number, firstWorker: ChildProcess) => {
    let worker = firstWorker
    let pauseMs = 1_000
    let startedAt = performance.now()
    for (;;) {
      if (isRunning(worker)) await exitOf(worker)
      if (stopped.signal.aborted) {
        exitCode = Math.max(exitCode, exitCodeOf(worker))
        return
      }
      log.error(
        { worker: index, code: worker.exitCode, signal: worker.signalCode },
        'a worker ended and is started again',
      )
      report({ lostWorker: true })
      if (performance.now() - startedAt > steadyMs) pauseMs = 1_000
      else {
        await pause(pauseMs, undefined, { signal: stopped.signal }).catch(() => {})
        pauseMs = Math.min(2 * pauseMs, maxPauseMs)
      }
      if (stopped.signal.aborted) return
      startedAt = performance.now()
      worker = await startWorker(index)
    }
  }

  // The first worker migrates the database before the others open it.
  const first = await startWorker(0)
  if (stopped.signal.aborted) {
    // The first worker may still drain. The others are not started.
    if (isRunning(first)) await exitOf(first)
    process.exit(exitCodeOf(first))
  }
  if (!isRunning(first)) process.exit(1)
  report({ port })
  const otherIndexes = Array.from({ length: settings.workers - 1 }, (_, index) => index + 1)
  await Promise.all([
    restartOnExit(0, first),
    ...otherIndexes.map(async (index) => restartOnExit(index, await startWorker(index))),
  ])
  process.exit(exitCode)
}

/** Resolves when a worker has exited, and for a process that could not be started, which emits `error` only. */
const exitOf = (worker: ChildProcess) =>
  new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
    worker.once('error', () => worker.pid === undefined && resolve())
  })
/**
 * The exit code of a worker that was told to stop. SIGTERM, SIGINT and SIGKILL count as success: they end a worker that
 * is still starting, and a worker kills itself when a folder that does not respond would keep it from exiting (see
 * `endProcess`).
 */
const exitCodeOf = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode ?? (/^SIG(TERM|INT|KILL)$/.test(signalCode ?? '') ? 0 : 1)
const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null

/** Listens on the port for a moment. @throws the error of `listen` when another program uses it */
async function refuseUsedPort({ port, host }: Pick<Settings, 'port' | 'host'>): Promise<void> {
  const probe = createServer()
  probe.listen({ port, ...(host && { host }) })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
