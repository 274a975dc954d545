import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Longer than any upload takes. */
const abandonedMs = 6 * 60 * 60_000

export interface ReceivedFile {
  /** Deleted when the work with it ends, unless it was moved. */
  path: string
  bytes: number
  /** SHA-256, in hex. */
  hash: string
}

export class UploadTooLarge extends Error {}
export class UploadAborted extends Error {}

/** Temporary files, such as uploads in progress. */
export interface TemporaryFiles {
  /**
   * Streams a request body to a file and passes it to `work`; afterwards the file is deleted.
   * @throws {UploadTooLarge}; {UploadAborted} when the client disconnected
   */
  receive<T>(
    body: ReadableStream<Uint8Array> | null,
    maxBytes: number,
    work: (received: ReceivedFile) => Promise<T>,
  ): Promise<T>
  /** A folder for results; it is deleted when the work ends. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>
  /** Deletes the files of processes that were killed. No file in use is deleted, however old it is. */
  removeLeftovers(now: Date): Promise<void>
}

export function createTemporaryFiles(folder: string): TemporaryFiles {
  // The process id tells which files belong to a running process, where several share the folder.
  const inUse = new Set<string>()
  const withPath = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${process.pid}-${randomUUID()}`
    const path = join(folder, name)
    inUse.add(name)
    try {
      return await work(path)
    } finally {
      await rm(path, { recursive: true, force: true })
      inUse.delete(name)
    }
  }
  return {
    receive: (body, maxBytes, work) =>
      withPath(async (path) => {
        const hash = createHash('sha256')
        let bytes = 0
        const hashed = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            bytes += chunk.length
            if (bytes > maxBytes) return done(new UploadTooLarge())
            hash.update(chunk)
            done(null, chunk)
          },
        })
        const source = body ? Readable.fromWeb(body) : Readable.from([])
        await pipeline(source, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })).catch(
          toUploadError,
        )
        return work({ path, bytes, hash: hash.digest('hex') })
      }),
    withFolder: (work) =>
      withPath(async (path) => {
        await mkdir(path, { mode: 0o700 })
        return work(path)
      }),
    async removeLeftovers(now) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((one) => !inUse.has(one))) {
        const pid = Number.parseInt(name, 10)
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
        // Others with the id of this process belong to an earlier one: in a container each has the same.
        if (pid === process.pid || !isRunning(pid) || now.getTime() - mtimeMs > abandonedMs) {
          await rm(path, { recursive: true, force: true })
        }
      }
    },
  }
}

/** A disk error is passed on; every other error means that the client disconnected. */
function toUploadError(error: Error & { syscall?: string }): never {
  // A socket's errors name `read`.
  if (error instanceof UploadTooLarge || /^(open|write|fsync|close)$/.test(error.syscall ?? '')) throw error
  throw new UploadAborted('the upload broke off', { cause: error })
}

export const hashFile = (path: string): Promise<{ bytes: number; hash: string }> => hashContent(createReadStream(path))

/**
 * The size and SHA-256, in hex.
 * @param maxBytes reading ends when more come, and the result is of what was read
 */
export async function hashContent(
  content: AsyncIterable<Uint8Array>,
  maxBytes = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<{ bytes: number; hash: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    signal?.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
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
