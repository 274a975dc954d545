import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadableStream } from 'node:stream/web'

/** Longer than any upload takes: an older file is abandoned, even if its process id is in use again. */
const abandonedMs = 6 * 60 * 60_000

export interface ReceivedFile {
  /** The file is deleted when the work with it ends, unless it was moved. */
  path: string
  bytes: number
  /** SHA-256 in hex. */
  hash: string
}

export class UploadTooLarge extends Error {}
export class UploadAborted extends Error {}

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
  /** Creates a folder for `work`; afterwards the folder is deleted. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>
  /** Deletes the files of processes that were killed. No file in use by this process is deleted, however old it is. */
  removeLeftovers(now: Date): Promise<void>
}

export function createTemporaryFiles(folder: string): TemporaryFiles {
  // File names begin with the process id, to recognise those of running processes that share the folder.
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
        const file = await open(path, 'wx', 0o600)
        const received = await writeBody(file, body ?? [], maxBytes).finally(() => file.close())
        return work({ path, ...received })
      }),
    withFolder: (work) =>
      withPath(async (path) => {
        await mkdir(path, { mode: 0o700 })
        return work(path)
      }),
    async removeLeftovers(now) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((candidate) => !inUse.has(candidate))) {
        const pid = Number.parseInt(name, 10)
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
        // Files that are not in use but have this process id are of an earlier process: in a container each has the same id.
        if (pid === process.pid || !isRunning(pid) || now.getTime() - mtimeMs > abandonedMs) {
          await rm(path, { recursive: true, force: true })
        }
      }
    },
  }
}

/** Writes a request body to a file. @throws {UploadTooLarge}; {UploadAborted}; errors of the disk */
async function writeBody(
  file: FileHandle,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: number; hash: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  let diskError: unknown
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new UploadTooLarge()
      // After an error the body is still read to its end: a client whose connection is cut off does not see the response.
      if (diskError !== undefined) continue
      hash.update(chunk)
      await file.writeFile(chunk).catch((error) => {
        diskError = error
      })
    }
  } catch (error) {
    if (error instanceof UploadTooLarge) throw error
    throw new UploadAborted('the upload broke off', { cause: error })
  }
  if (diskError !== undefined) throw diskError
  await file.sync()
  return { bytes, hash: hash.digest('hex') }
}

export const hashFile = (path: string): Promise<{ bytes: number; hash: string }> => hashContent(createReadStream(path))

/** Returns the size and the SHA-256 in hex. @param maxBytes above this, reading stops; the result is of what was read */
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
