import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { svgType } from '../../contract/file-types.ts'
import { createTaskLimit } from '../task-limit.ts'
import { sendTask } from '../task-process.ts'
import {
  ImageInterrupted,
  ImageRejected,
  type ImageTask,
  type ImageTaskResult,
  type ProbedFile,
  type ProbedImage,
  type ResizeResult,
} from './image-tasks.ts'

/**
 * An image within its limits takes a few seconds of processor time at most; one that takes longer is probably an attack. The
 * limits count elapsed time, and a process of low priority waits long on a busy machine, so they are generous.
 */
const defaultTimeoutsMs = { probe: 120_000, sanitize: 120_000, resize: 10 * 60_000, render: 120_000 }

/** Resident memory of one image process, apart from the pixels that it decodes. */
const baseMemoryBytes = 512_000_000
/** Four channels, and three copies in memory at the same time: decoded, oriented and resized. */
const memoryBytesPerPixel = 12

/**
 * Processes images in child processes, one for each task, at a lower priority than the server, and with limits of time
 * and memory. One task of each kind runs at a time, and a quick resize at the same time as a full one. The owners of
 * waiting uploads take turns.
 */
export interface ImageWorker {
  /**
   * Detects the type of a file. It writes a sanitized copy of an SVG to `to`, a preview of any other image to `preview`.
   * @param owner the id of the user who uploads, or a negative one for a visitor
   * @param aborted when it fires, a waiting task is not started and a running one is killed
   * @throws {ImageRejected}, {ImageInterrupted}, or the abort reason
   */
  probe(task: Task<'probe'> & { to: string }, owner: number, aborted: AbortSignal): Promise<ProbedFile>
  /**
   * Writes an image in every width and type. `pixels`, of the original, set the memory limit.
   * @throws {ImageRejected}, {ImageInterrupted}
   */
  resize(task: Task<'resize'> & { pixels: number }): Promise<ResizeResult>
  /** Renders images from SVG. @throws {ImageRejected}, {ImageInterrupted} */
  render(task: Task<'render'>): Promise<void>
  /** Kills the running processes. */
  stop(): void
}

type ImageTaskKind = ImageTask['kind']
type Task<Kind extends ImageTaskKind> = Omit<Extract<ImageTask, { kind: Kind }>, 'kind'>

/** Runs a task. @throws {ImageRejected} `time`, or `unreadable` after a crash; {ImageInterrupted}; the reason of `aborted` */
export type RunTask = (
  task: ImageTask,
  limits: { timeoutMs: number; memoryBytes: number; aborted: AbortSignal },
) => Promise<ImageTaskResult<unknown>>

/** @param runTask tests replace it, because a process for each small image takes most of their time */
export function createImageWorker(
  timeoutsMs: Partial<Record<ImageTaskKind, number>> = {},
  runTask: RunTask = runInProcess,
): ImageWorker {
  const stopped = new AbortController()
  const [probes, quickResizes, resizes, renders] = [fairQueue(), fairQueue(), fairQueue(), fairQueue()]
  const run = async <Result>(task: ImageTask, pixels: number, aborted: AbortSignal = stopped.signal) => {
    aborted.throwIfAborted()
    const outcome = await runTask(task, {
      timeoutMs: timeoutsMs[task.kind] ?? defaultTimeoutsMs[task.kind],
      memoryBytes: baseMemoryBytes + memoryBytesPerPixel * pixels,
      aborted,
    })
    if ('failed' in outcome) throw new ImageInterrupted(outcome.failed, outcome.code)
    if ('rejected' in outcome) throw new ImageRejected(outcome.rejected, outcome.detail)
    return outcome.result as Result
  }
  return {
    probe: ({ to, ...task }, owner, requestAborted) =>
      probes(owner, async () => {
        const aborted = AbortSignal.any([stopped.signal, requestAborted])
        const probed = await run<ProbedFile>({ kind: 'probe', ...task }, task.maxPixels, aborted)
        if (probed.type !== svgType) return probed
        const { file, maxPixels, svg } = task
        const image = await run<ProbedImage>({ kind: 'sanitize', file, to, maxPixels, svg }, 0, aborted)
        return { ...probed, image }
      }),
    resize: ({ pixels, ...task }) =>
      (task.quick ? quickResizes : resizes)(0, () => run<ResizeResult>({ kind: 'resize', ...task }, pixels)),
    render: (task) => renders(0, () => run<void>({ kind: 'render', ...task }, 0)),
    stop: () => stopped.abort(),
  }
}

/** Creates a queue that runs one task at a time. Owners take turns, so that many tasks of one owner do not delay another. */
function fairQueue() {
  const runInTurn = createTaskLimit({ atOnce: 1, waiting: Number.POSITIVE_INFINITY })
  // A task of an owner enters the queue only when the owner's previous one has ended.
  const lastTaskOf = new Map<number, Promise<unknown>>()
  return async <T>(owner: number, work: () => Promise<T>): Promise<T> => {
    const previous = lastTaskOf.get(owner) ?? Promise.resolve()
    const task = previous.catch(() => {}).then(() => runInTurn(work))
    lastTaskOf.set(owner, task)
    try {
      return await task
    } finally {
      if (lastTaskOf.get(owner) === task) lastTaskOf.delete(owner)
    }
  }
}

const runInProcess: RunTask = async (task, limits) => {
  const entry = import.meta.filename.endsWith('.ts') ? 'image-process.ts' : 'image-process.js'
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=256', join(import.meta.dirname, entry), String(limits.memoryBytes)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: AbortSignal.any([limits.aborted, timeout]),
      killSignal: 'SIGKILL',
    },
  )
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  // Without a started process this rejects too, because there are no streams; `closed` rejects with the cause.
  output.catch(() => {})
  // A full resize is background work; for the other tasks somebody may be waiting.
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  sendTask(child, task, task.kind === 'resize' && !task.quick ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  const [code, signal] = await closed.catch((error) => {
    if (timeout.aborted) throw new ImageRejected('time', 'it took too long')
    throw error
  })
  const [out, err] = await output
  if (signal !== null && !crashSignals.has(signal))
    throw new ImageInterrupted(`the image process was ended by ${signal}`)
  if (code !== 0 || out === '') {
    // A retry would not help: a decoder that crashes on an image crashes on it again.
    throw new ImageRejected('unreadable', `the image process ended with ${code ?? signal}: ${err.slice(-500)}`)
  }
  return JSON.parse(out)
}

/** Signals of a crash; with others the process was killed from outside. */
const crashSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])
