import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomId } from '../../contract/random-id.ts'

/** Where backups stand. Names are those of this program, without a slash. */
export interface BackupTarget {
  /** The folder, or the bucket with its server and prefix: the same text is the same place. */
  label: string
  /** Stores a file. Until it is complete it is not there under its name; a file of that name is replaced. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Undefined when there is none. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  rename(from: string, to: string): Promise<void>
  /** No error when there is none. */
  remove(name: string): Promise<void>
  close(): void
}

/** A target did something wrong; the message is for people. */
export class TargetFailure extends Error {
  constructor(label: string, reason: string, cause?: unknown) {
    super(`${label} ${reason}`, { cause })
    this.name = 'TargetFailure'
  }
}

/** The label of a bucket as target. */
export const s3Label = (of: { endpoint: string; bucket: string; prefix: string }): string =>
  `${of.endpoint}/${of.bucket}${of.prefix && `/${of.prefix}`}`

/** A target that takes or gives no byte for so long has stalled. */
export const stallMs = 120_000

/** A file that is being written, or was cut off. The folder may contain files of others. */
const partialName = /^etalage-.*\.partial$/
const abandonedMs = 60 * 60_000

/** A folder of this machine, or one that is mounted. It is made when something is written. */
export function folderTarget(folder: string, timeoutMs = stallMs): BackupTarget {
  const failing =
    (how: string) =>
    (error: NodeJS.ErrnoException): never => {
      throw error instanceof TargetFailure ? error : new TargetFailure(folder, `${how}: ${error.message}`, error)
    }
  const cannotWrite = failing('cannot be written to')
  return {
    label: folder,
    async write(name, content) {
      let failure: unknown
      const watched = passingOn(content, (error) => {
        failure = error
      })
      await inTime(folder, timeoutMs, async (progress) => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await removeAbandoned(folder)
        // A name that nobody can foresee: a link put there would make another file be overwritten.
        const partial = join(folder, `${name}.${randomId()}.partial`)
        try {
          await pipeline(
            Readable.from(progress(watched), { objectMode: false }),
            createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
          )
          await rename(partial, join(folder, name))
          await syncFolder(folder)
        } catch (error) {
          await rm(partial, { force: true })
          throw error
        }
      }).catch((error) => {
        // What the content throws is about the site, not about the target.
        if (failure !== undefined && !(error instanceof TargetFailure)) throw failure
        cannotWrite(error)
      })
    },
    async read(name) {
      const path = join(folder, name)
      const exists = await inTime(folder, timeoutMs, () => stat(path).then(() => true, isMissing)).catch(
        failing('cannot be read'),
      )
      return exists ? inSteps(folder, timeoutMs, createReadStream(path)) : undefined
    },
    rename: (from, to) =>
      inTime(folder, timeoutMs, () => rename(join(folder, from), join(folder, to))).catch(cannotWrite),
    remove: (name) => inTime(folder, timeoutMs, () => rm(join(folder, name), { force: true })).catch(cannotWrite),
    close() {},
  }
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false
  throw error
}

/** Passes the content on, and reports what it throws. */
async function* passingOn(content: AsyncIterable<Uint8Array>, failed: (error: unknown) => void) {
  try {
    yield* content
  } catch (error) {
    failed(error)
    throw error
  }
}

/**
 * Fails when nothing happens for a while. The time that the content needs to come does not count.
 * @param work is given `progress`, by which it reads its content
 */
export async function inTime<T>(
  label: string,
  timeoutMs: number,
  work: (progress: <Chunk>(content: AsyncIterable<Chunk>) => AsyncIterable<Chunk>) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stalled = Promise.withResolvers<never>()
  const start = () => {
    clearTimeout(timer)
    const reason = `did not answer for ${timeoutMs / 1_000} seconds.`
    timer = setTimeout(() => stalled.reject(new TargetFailure(label, reason)), timeoutMs)
  }
  async function* progress<Chunk>(content: AsyncIterable<Chunk>): AsyncIterable<Chunk> {
    const chunks = content[Symbol.asyncIterator]()
    try {
      for (;;) {
        clearTimeout(timer)
        const { done, value } = await chunks.next()
        start()
        if (done) return
        yield value
      }
    } finally {
      await chunks.return?.()
    }
  }
  start()
  try {
    return await Promise.race([work(progress), stalled.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** What a target gives, each piece in time. */
export async function* inSteps(label: string, timeoutMs: number, content: Readable): AsyncIterable<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await inTime(label, timeoutMs, () => chunks.next()).catch((error) => {
        throw error instanceof TargetFailure ? error : new TargetFailure(label, `broke off: ${error.message}`, error)
      })
      if (done) return
      yield value
    }
  } finally {
    content.destroy()
  }
}

/** Reads a whole file back. @throws {TargetFailure} when it is not what was written */
export async function verifyStored(
  target: BackupTarget,
  name: string,
  written: { bytes: number; hash: string },
  signal?: AbortSignal,
): Promise<void> {
  const stored = await target.read(name)
  if (!stored) throw new TargetFailure(target.label, 'accepted the file, and does not have it.')
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of stored) {
    signal?.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
  }
  if (bytes === written.bytes && hash.digest('hex') === written.hash) return
  const reason = `gives back other bytes than it was given: ${bytes}, and not the ${written.bytes} that were written.`
  throw new TargetFailure(target.label, reason)
}

/** Writes a small file, reads it back and removes it. @throws {TargetFailure} */
export async function tryTarget(target: BackupTarget): Promise<void> {
  const name = `etalage-test-${randomId()}`
  const content = Buffer.from(`${name}\n`)
  const written = { bytes: content.length, hash: createHash('sha256').update(content).digest('hex') }
  await target.write(name, Readable.from([content]))
  try {
    await verifyStored(target, name, written)
  } finally {
    await target.remove(name)
  }
}

/** Removes what was left behind by processes that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !partialName.test(entry.name)) continue
    const path = join(folder, entry.name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
