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

/** One worker also runs the background jobs, the others only serve. The launcher starts a whole program. */
export type WorkerRole = 'jobs' | 'serve' | 'launched'

/** A message from a worker to the supervisor or the launcher. */
export type Report =
  /** The worker accepts connections on this port. */
  | { port: number }
  | { job: WakeableJob }
  /** How many requests it responded to since the last report; `failed` by an unexpected error. */
  | { counted: { answered: number; failed: number } }
  /** The problem of the contact form, see `CanaryResult`; in English, empty when there is none, and by its key. */
  | { canary: string; why?: Reason; database?: CanaryResult['database'] }
  /** The moment of the update that is in the audit log now. */
  | { recorded: string }
  /** A worker of this program ended unexpectedly. */
  | { lostWorker: true }

/** The result of the canary: a test message through the contact form, which leaves no trace. */
export interface CanaryResult {
  /** Undefined when it works, or could not be tried. */
  problem?: Reason | string
  /** Why it could not: the database is unavailable, or it answers and this program could not use it. */
  database?: 'away' | 'refused'
}

/** A request of the launcher. The worker answers `canary` and `record` with a report. */
type LauncherRequest = { canary: true } | { record: UpdateOutcome } | { stop: true }

/** Inherited from the launcher, which holds it while versions replace each other. */
const socketFd = 3

/** A worker that lived longer than this is started again at once. */
const steadyMs = 10_000
const longestPauseMs = 30_000

/** The task of this process under a supervisor; undefined for a process that serves alone. */
export function assignedWork(): { role: WorkerRole; port: number; fd: number | undefined } | undefined {
  const [, , role, port, socket] = process.argv
  return process.send && (role === 'jobs' || role === 'serve' || role === 'launched')
    ? { role, port: Number(port), fd: socket === 'socket' ? socketFd : undefined }
    : undefined
}

/** Passes on that a job has work, to the worker that runs the jobs. */
export const reportWork = (job: WakeableJob): void => report({ job })

export const report = (message: Report): void => {
  // The supervisor may be gone; then this worker is about to stop.
  if (process.connected) process.send?.(message, () => {})
}

/** Reports that this worker serves, and carries out the supervisor's requests. Stops when the supervisor has exited. */
export function followSupervisor(worker: {
  port: number
  wake(job: WakeableJob): void
  runCanary(): Promise<CanaryResult>
  record(update: UpdateOutcome): Promise<void>
  failed(error: unknown): void
  stop(): void
}): void {
  /** By the time of the update. */
  const recordings = new Map<string, Promise<void>>()
  process.on('message', async (message: { job: WakeableJob } | LauncherRequest) => {
    if ('job' in message) worker.wake(message.job)
    else if ('stop' in message) worker.stop()
    else if ('canary' in message) {
      const { problem = '', ...why } = await worker
        .runCanary()
        .catch((error): CanaryResult => ({ problem: reasonOf(error) }))
      report({ canary: reasonText(problem, 'en'), ...(typeof problem === 'object' && { why: problem }), ...why })
    } else {
      const { at } = message.record
      // The launcher repeats the request until it is recorded, also while this worker records it.
      const recording = recordings.get(at) ?? worker.record(message.record)
      recordings.set(at, recording)
      await recording.then(
        () => report({ recorded: at }),
        (error) => {
          recordings.delete(at)
          worker.failed(error)
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

  // Workers share the port with anyone who asks for it; another program must not get half of the visitors.
  if (port !== 0 && launched?.fd === undefined) await validating('PORT', () => refuseUsedPort(settings))
  if (stopped.signal.aborted) process.exit(0)

  /** Starts one worker and waits until it serves or ends. */
  const start = async (index: number): Promise<ChildProcess> => {
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
  const restartWhenEnded = async (index: number, first: ChildProcess) => {
    let worker = first
    let pauseMs = 1_000
    let since = performance.now()
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
      if (performance.now() - since > steadyMs) pauseMs = 1_000
      else {
        await pause(pauseMs, undefined, { signal: stopped.signal }).catch(() => {})
        pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      }
      if (stopped.signal.aborted) return
      since = performance.now()
      worker = await start(index)
    }
  }

  // The first one migrates the database before the others open it.
  const first = await start(0)
  if (stopped.signal.aborted) {
    // It may still drain; others, which were not told to stop, are not started.
    if (isRunning(first)) await exitOf(first)
    process.exit(exitCodeOf(first))
  }
  if (!isRunning(first)) process.exit(1)
  report({ port })
  const others = Array.from({ length: settings.workers - 1 }, (_, at) => at + 1)
  await Promise.all([
    restartWhenEnded(0, first),
    ...others.map(async (index) => restartWhenEnded(index, await start(index))),
  ])
  process.exit(exitCode)
}

/** Also resolves for a process that could not be started: it has an error and no exit. */
const exitOf = (worker: ChildProcess) =>
  new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
    worker.once('error', () => worker.pid === undefined && resolve())
  })
/**
 * Of a worker that was asked to stop: the signal ends one that is still starting, and one kills itself when a folder that does not
 * answer keeps it from exiting.
 */
const exitCodeOf = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode ?? (/^SIG(TERM|INT|KILL)$/.test(signalCode ?? '') ? 0 : 1)
const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null

/** @throws the error of `listen` when something listens there */
async function refuseUsedPort({ port, host }: Pick<Settings, 'port' | 'host'>): Promise<void> {
  const probe = createServer()
  probe.listen({ port, ...(host && { host }) })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
