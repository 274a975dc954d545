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
/** Decoded, oriented and resized at once: four channels, three copies. */
const memoryBytesPerPixel = 12

/**
 * Processes images in child processes, one for each task, at a lower priority than the server, and within limits of
 * time and memory. One task of a kind runs at a time, and one quick resize beside a full one; the owners of waiting
 * uploads take turns.
 */
export interface ImageWorker {
  /**
   * Detects the type of a file. Writes a sanitized copy of an SVG to `to`, a preview of any other image to `preview`.
   * @param owner the user who uploads
   * @param aborted of the request: a waiting task is not started, a running one is killed
   * @throws {ImageRejected}, {ImageInterrupted}, or the abort reason
   */
  probe(task: Task<'probe'> & { to: string }, owner: number, aborted: AbortSignal): Promise<ProbedFile>
  /** Writes an image in every width and type. @throws {ImageRejected}, {ImageInterrupted} */
  resize(task: Task<'resize'> & { pixels: number }): Promise<ResizeResult>
  /** Renders images from SVG. @throws {ImageRejected}, {ImageInterrupted} */
  render(task: Task<'render'>): Promise<void>
  /** Kills the running processes. */
  stop(): void
}

type ImageTaskKind = ImageTask['kind']
type Task<Kind extends ImageTaskKind> = Omit<Extract<ImageTask, { kind: Kind }>, 'kind'>

/** Runs a task. @throws {ImageRejected} `time`, {ImageInterrupted}, or the reason of `aborted` */
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
    const answer = await runTask(task, {
      timeoutMs: timeoutsMs[task.kind] ?? defaultTimeoutsMs[task.kind],
      memoryBytes: baseMemoryBytes + memoryBytesPerPixel * pixels,
      aborted,
    })
    if ('failed' in answer) throw new ImageInterrupted(answer.failed, answer.code)
    if ('rejected' in answer) throw new ImageRejected(answer.rejected, answer.detail)
    return answer.result as Result
  }
  return {
    probe: ({ to, ...task }, owner, requestAborted) =>
      probes(owner, async () => {
        const aborted = AbortSignal.any([stopped.signal, requestAborted])
        const found = await run<ProbedFile>({ kind: 'probe', ...task }, task.maxPixels, aborted)
        if (found.type !== svgType) return found
        const { file, maxPixels, svg } = task
        const image = await run<ProbedImage>({ kind: 'sanitize', file, to, maxPixels, svg }, 0, aborted)
        return { ...found, image }
      }),
    resize: ({ pixels, ...task }) =>
      (task.quick ? quickResizes : resizes)(0, () => run<ResizeResult>({ kind: 'resize', ...task }, pixels)),
    render: (task) => renders(0, () => run<void>({ kind: 'render', ...task }, 0)),
    stop: () => stopped.abort(),
  }
}

/** Runs one task at a time. Owners take turns, so that many tasks of one do not delay the single one of another. */
function fairQueue() {
  const runInTurn = createTaskLimit({ atOnce: 1, waiting: Number.POSITIVE_INFINITY })
  /** The next task of an owner queues when this one has ended. */
  const lastOf = new Map<number, Promise<unknown>>()
  return async <T>(owner: number, work: () => Promise<T>): Promise<T> => {
    const task = (lastOf.get(owner) ?? Promise.resolve()).catch(() => {}).then(() => runInTurn(work))
    lastOf.set(owner, task)
    try {
      return await task
    } finally {
      if (lastOf.get(owner) === task) lastOf.delete(owner)
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
  // A process that could not be started has no streams, so this fails too; the cause is the error of `closed`.
  output.catch(() => {})
  // Resizing to all widths is background work; somebody may wait for the other tasks.
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
    // A decoder that crashes on an image crashes on it again.
    throw new ImageRejected('unreadable', `the image process ended with ${code ?? signal}: ${err.slice(-500)}`)
  }
  return JSON.parse(out)
}

/** Signals of a crash, as opposed to a kill. */
const crashSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])
