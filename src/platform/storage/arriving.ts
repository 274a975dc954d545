import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Nothing arrives for so long. */
const forgottenMs = 6 * 60 * 60_000

export interface Arrived {
  /** A file that is gone when the work with it ends, unless it was moved away. */
  path: string
  bytes: number
  /** SHA-256, in hex. */
  hash: string
}

/** More came than may. */
export class TooManyBytes extends Error {}
/** The client went away in the middle. */
export class BrokenOff extends Error {}

/** The place where uploads arrive, piece by piece, before they are looked at and stored. */
export interface Arrivals {
  /**
   * Writes a stream to a file as fast as it comes, and gives `work` the file; whatever happens, none is left.
   * @throws {TooManyBytes}, {BrokenOff}
   */
  receive<T>(
    body: ReadableStream<Uint8Array> | null,
    maxBytes: number,
    work: (arrived: Arrived) => Promise<T>,
  ): Promise<T>
  /** A folder for a program's results; it is gone when the work ends. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>
  /** Removes what a program left that was killed. */
  sweep(now: Date): Promise<void>
}

export function arrivalsIn(folder: string): Arrivals {
  // The number of the process tells what is still being written by another program on the same folder.
  const place = () => join(folder, `${process.pid}-${randomUUID()}`)
  const within = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = place()
    try {
      return await work(path)
    } finally {
      await rm(path, { recursive: true, force: true })
    }
  }
  return {
    receive: (body, maxBytes, work) =>
      within(async (path) => {
        const hash = createHash('sha256')
        let bytes = 0
        const measure = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            bytes += chunk.length
            if (bytes > maxBytes) return done(new TooManyBytes())
            hash.update(chunk)
            done(null, chunk)
          },
        })
        const source = body ? Readable.fromWeb(body) : Readable.from([])
        await pipeline(source, measure, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })).catch(whose)
        return work({ path, bytes, hash: hash.digest('hex') })
      }),
    withFolder: (work) =>
      within(async (path) => {
        await mkdir(path, { mode: 0o700 })
        return work(path)
      }),
    async sweep(now) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        const pid = Number.parseInt(name, 10)
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
        // At a start nothing is ours yet, also where every start has the same number.
        if (pid === process.pid || !isRunning(pid) || now.getTime() - mtimeMs > forgottenMs) {
          await rm(path, { recursive: true, force: true })
        }
      }
    },
  }
}

/** What the disk says is ours; everything else is a client that sent no more. */
function whose(error: Error & { syscall?: string; path?: string }): never {
  if (error instanceof TooManyBytes || error.path !== undefined || error.syscall === 'write') throw error
  throw new BrokenOff('the upload broke off', { cause: error })
}

/** Of a file that was changed after it came. */
export async function hashOf(path: string): Promise<{ bytes: number; hash: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, hash: hash.digest('hex') }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
