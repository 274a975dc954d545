import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type Dirent } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomId } from '../../contract/random-id.ts'
import { ExplainedError } from '../../i18n/reason.ts'
import { hashContent } from '../storage/temporary-files.ts'
import { syncPath } from '../sync-path.ts'

export interface TargetFile {
  name: string
  bytes: number
  /** When it was stored, by the clock of the target. */
  at: Date
}

/** The storage of backups: a folder or a bucket. Names are `file` or `folder/file`, and never come from user input. */
export interface BackupTarget {
  /** The folder, or the server, bucket and prefix; equal labels mean the same target. */
  label: string
  /** Stores a file atomically: it appears under its name once it is complete, and replaces an existing file. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns the content of a file; undefined when there is no such file. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /**
   * Lists the files directly in a folder, in any order; none when it does not exist. The top folder is the empty
   * string: of it, only files whose names begin with `ownPrefix` are listed, because it may contain files of other
   * programs.
   * @param signal aborts a listing that takes several requests
   */
  list(folder: string, signal?: AbortSignal): Promise<TargetFile[]>
  rename(from: string, to: string): Promise<void>
  /** Removes a file; no error when there is no such file. */
  remove(name: string): Promise<void>
  close(): void
}

/** The prefix of all names that Etalage uses in the top folder. */
export const ownPrefix = 'etalage-'

/** A target failed, for example by a timeout. */
export class TargetFailure extends ExplainedError {
  override name = 'TargetFailure'
}

/** The label of a target that is a bucket. */
export const s3Label = ({ endpoint, bucket, prefix }: { endpoint: string; bucket: string; prefix: string }): string =>
  `${endpoint}/${bucket}${prefix && `/${prefix}`}`

/** The timeout of a target that neither accepts nor returns data. */
export const stallMs = 120_000

/** Matches incomplete files that Etalage wrote; the folder may contain other files. */
const partialName = /^(etalage-|[0-9a-f]{64}\.age).*\.partial$/
/** After this time without a write an incomplete file is abandoned. */
const abandonedMs = 60 * 60_000

/** Creates a target that is a local or mounted folder; the folder is created at the first write. */
export function folderTarget(folder: string): BackupTarget {
  const throwAsFailure =
    (key: 'targetNotRead' | 'targetNotWritten') =>
    (error: NodeJS.ErrnoException): never => {
      throw error instanceof TargetFailure
        ? error
        : new TargetFailure({ key, target: folder, detail: error.message }, error)
    }
  const throwWriteFailure = throwAsFailure('targetNotWritten')
  const throwReadFailure = throwAsFailure('targetNotRead')
  // Abandoned files are removed once per folder, because a folder may have thousands of files.
  const cleanedFolders = new Set<string>()
  return {
    label: folder,
    async write(name, content) {
      let contentError: unknown
      const observed = captureErrors(content, (error) => {
        contentError = error
      })
      await withStallTimeout(folder, stallMs, async (progress) => {
        const path = join(folder, name)
        const parent = dirname(path)
        await mkdir(parent, { recursive: true, mode: 0o700 })
        if (!cleanedFolders.has(parent)) await removeAbandoned(parent)
        cleanedFolders.add(parent)
        // The name is unpredictable, so that nobody can place a link there that redirects the write to another file.
        const partial = `${path}.${randomId()}.partial`
        try {
          await pipeline(
            Readable.from(progress(observed), { objectMode: false }),
            createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
          )
          await rename(partial, path)
          await syncPath(parent)
        } catch (error) {
          await rm(partial, { force: true })
          throw error
        }
      }).catch((error) => {
        // An error of reading the content is not an error of the target.
        if (contentError !== undefined && !(error instanceof TargetFailure)) throw contentError
        throwWriteFailure(error)
      })
    },
    async read(name) {
      const path = join(folder, name)
      const exists = await withStallTimeout(folder, stallMs, () => stat(path).then(() => true, falseIfMissing)).catch(
        throwReadFailure,
      )
      return exists ? readWithStallTimeout(folder, stallMs, createReadStream(path)) : undefined
    },
    list: (name) =>
      withStallTimeout(folder, stallMs, async (progress) => {
        const entries = (await readdir(join(folder, name), { withFileTypes: true }).catch(falseIfMissing)) || []
        const listed = entries.filter((entry) => entry.isFile() && (name !== '' || entry.name.startsWith(ownPrefix)))
        const files: TargetFile[] = []
        // One at a time: on a mount that hangs, concurrent calls would block all threads that read files for the site.
        for await (const entry of progress<Dirent>(Readable.from(listed))) {
          const stats = await stat(join(folder, name, entry.name)).catch(falseIfMissing)
          if (stats) files.push({ name: entry.name, bytes: stats.size, at: stats.mtime })
        }
        return files
      }).catch(throwReadFailure),
    rename: (from, to) =>
      withStallTimeout(folder, stallMs, () => rename(join(folder, from), join(folder, to))).catch(throwWriteFailure),
    remove: (name) =>
      withStallTimeout(folder, stallMs, () => rm(join(folder, name), { force: true })).catch(throwWriteFailure),
    close() {},
  }
}

/** For `catch`: returns false for a missing file. @throws any other error */
function falseIfMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false
  throw error
}

/** Yields the content unchanged, and also passes an error of reading it to `onError`. */
async function* captureErrors(content: AsyncIterable<Uint8Array>, onError: (error: unknown) => void) {
  try {
    yield* content
  } catch (error) {
    onError(error)
    throw error
  }
}

/**
 * Runs `work` with a timeout for each chunk that the target takes, and for all work after the last one, such as
 * flushing. Waiting for the content does not count.
 * @param work must read its content through `progress`, which measures the time
 * @throws {TargetFailure}
 */
export async function withStallTimeout<T>(
  label: string,
  timeoutMs: number,
  work: (progress: <Chunk>(content: AsyncIterable<Chunk>) => AsyncIterable<Chunk>) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stalled = Promise.withResolvers<never>()
  const start = () => {
    clearTimeout(timer)
    const reason = { key: 'targetSilent', target: label, seconds: timeoutMs / 1_000 } as const
    timer = setTimeout(() => stalled.reject(new TargetFailure(reason)), timeoutMs)
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

/** Yields a stream of the target, with a timeout for each chunk. @throws {TargetFailure} */
export async function* readWithStallTimeout(
  label: string,
  timeoutMs: number,
  content: Readable,
): AsyncIterable<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await withStallTimeout(label, timeoutMs, () => chunks.next()).catch((error) => {
        throw error instanceof TargetFailure
          ? error
          : new TargetFailure({ key: 'targetBrokeOff', target: label, detail: error.message }, error)
      })
      if (done) return
      yield value
    }
  } finally {
    content.destroy()
  }
}

/** Reads a stored file back, and compares size and hash. @throws {TargetFailure} when they differ */
export async function verifyStored(
  target: BackupTarget,
  name: string,
  written: { bytes: number; hash: string },
  signal?: AbortSignal,
): Promise<void> {
  const stored = await target.read(name)
  if (!stored) throw new TargetFailure({ key: 'targetForgot', target: target.label })
  const { bytes, hash } = await hashContent(stored, written.bytes, signal)
  if (bytes === written.bytes && hash === written.hash) return
  const key = bytes > written.bytes ? 'targetTooLong' : 'targetAltered'
  throw new TargetFailure({ key, target: target.label, found: bytes, written: written.bytes })
}

/**
 * Measures a stored file by reading it, because a bucket may list a new file late.
 * @param maxBytes reading stops once more have come; the result is then larger than this
 * @returns undefined if there is none
 */
export async function readSize(target: BackupTarget, name: string, maxBytes: number): Promise<number | undefined> {
  const stored = await target.read(name)
  if (!stored) return undefined
  let bytes = 0
  for await (const chunk of stored) {
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return bytes
}

/** Writes a small file, finds it in the list, reads it back and removes it. @throws {TargetFailure} */
export async function testTarget(target: BackupTarget): Promise<void> {
  const name = `${ownPrefix}test-${randomId()}`
  const content = Buffer.from(`${name}\n`)
  const written = { bytes: content.length, hash: createHash('sha256').update(content).digest('hex') }
  await target.write(name, Readable.from([content]))
  try {
    await verifyStored(target, name, written)
    if (!(await target.list('')).some((file) => file.name === name)) {
      throw new TargetFailure({ key: 'targetNotListed', target: target.label })
    }
  } finally {
    await target.remove(name)
  }
}

/** Removes incomplete files of processes that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !partialName.test(entry.name)) continue
    const path = join(folder, entry.name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
