import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { drawingType } from '../../contract/file-types.ts'
import type { Drawn, Inspected, LookedAt, PictureAnswer, PictureFault, PictureJob } from './job.ts'

export type { LookedAt } from './job.ts'

const lookTimeoutMs = 60_000
/** A drawing within its limits takes some seconds; what takes longer was made to. */
const cleanTimeoutMs = 15_000
const drawTimeoutMs = 10 * 60_000

/** A picture that is refused, and why. */
export class PictureRefused extends Error {
  readonly fault: PictureFault
  constructor(fault: PictureFault, detail: string) {
    super(detail)
    this.name = 'PictureRefused'
    this.fault = fault
  }
}

/**
 * Works on pictures in a program of its own, one for each job, behind whatever the server does. Somebody waits for a
 * look, so looks do not wait for drawing; of each kind there is one at a time, whatever is asked.
 */
export interface Workshop {
  /**
   * Finds out what a file is. Of a drawing a clean copy is written to `to`.
   * @param gone of who waits for it: then it is not begun, and ended where it was
   * @throws {PictureRefused}, or the reason of `gone`
   */
  look(job: Job<'look'> & { to: string }, gone: AbortSignal): Promise<LookedAt>
  /** @throws {PictureRefused} */
  draw(job: Job<'draw'>): Promise<Drawn>
  /** Ends what is under way. */
  stop(): void
}

type Job<Work extends PictureJob['work']> = Omit<Extract<PictureJob, { work: Work }>, 'work'>

export function createWorkshop(): Workshop {
  const stopped = new AbortController()
  const look = oneAtATime()
  const draw = oneAtATime()
  return {
    look: ({ to, ...job }, gone) =>
      look(async () => {
        const givenUp = AbortSignal.any([stopped.signal, gone])
        const found = await runJob<LookedAt>({ work: 'look', ...job }, lookTimeoutMs, givenUp)
        if (found.type !== drawingType) return found
        const picture = await runJob<Inspected>({ work: 'clean', to, ...job }, cleanTimeoutMs, givenUp)
        return { ...found, picture }
      }),
    draw: (job) => draw(() => runJob<Drawn>({ work: 'draw', ...job }, drawTimeoutMs, stopped.signal)),
    stop: () => stopped.abort(),
  }
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}

async function runJob<Result>(job: PictureJob, timeoutMs: number, givenUp: AbortSignal): Promise<Result> {
  givenUp.throwIfAborted()
  const source = import.meta.filename.endsWith('.ts')
  const program = join(import.meta.dirname, source ? 'program.ts' : 'pictures.js')
  const timeout = AbortSignal.timeout(timeoutMs)
  const child = spawn(process.execPath, ['--max-old-space-size=256', program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: AbortSignal.any([givenUp, timeout]),
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  child.stdin.on('error', () => {})
  if (child.pid !== undefined) yieldTo(child.pid, job.work)
  // The input stays open: it is how the program sees that the server is still there.
  child.stdin.write(`${JSON.stringify(job)}\n`)
  const [code] = await ended.catch((error) => {
    if (timeout.aborted) throw new PictureRefused('broken', 'it took too long')
    throw error
  })
  const [out, err] = await said
  if (code !== 0 || out === '') {
    // A decoder that falls over a picture falls over it again.
    throw new PictureRefused('broken', `the program ended with ${code}: ${err.slice(-500)}`)
  }
  const answer = JSON.parse(out) as PictureAnswer<Result>
  if ('fault' in answer) throw new PictureRefused(answer.fault, answer.detail)
  return answer.result
}

/** Drawing gets what is left over, and a look, for which somebody waits, a little more; a machine that does not allow it works all the same. */
function yieldTo(pid: number, work: PictureJob['work']): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  try {
    setPriority(pid, work === 'draw' ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  } catch {}
}
