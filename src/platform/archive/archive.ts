import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream as WebStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import tar from 'tar-stream'
import { type BackupTarget, TargetFailure } from './backup-target.ts'
import { OtherKeyArchive, UnusableArchive } from './unusable-archive.ts'

/** An item in an archive, such as a table or a stored file. */
export interface ArchiveItem {
  name: string
  bytes: number
  /** SHA-256, in hex. */
  hash: string
}

/** An item is stored in parts of this size, because tar wants a size before the content. */
const partBytes = 1_048_576

export type AddItem = (
  name: string,
  content: Iterable<string> | AsyncIterable<string | Uint8Array>,
) => Promise<ArchiveItem>

/**
 * Writes an encrypted archive: `tar` within `age`, item `a/b` in the files `a/b/0`, `a/b/1` and so on.
 * @param fill adds the items, one at a time
 * @returns what the target was given, with the SHA-256 in hex
 */
export async function writeArchive(
  to: { target: Pick<BackupTarget, 'write'>; name: string; signal?: AbortSignal },
  recipient: string,
  fill: (add: AddItem) => Promise<void>,
): Promise<{ bytes: number; hash: string }> {
  const pack = tar.pack()
  // If the target fails before it reads, nothing else handles this error; it is rethrown below.
  pack.on('error', () => {})
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)

  const addPart = (name: string, data: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const header = { name, size: data.length, mode: 0o600, mtime: new Date(0) }
      pack.entry(header, data, (error) => (error ? reject(error) : resolve())).on('error', reject)
    })
  const add: AddItem = async (name, content) => {
    const hash = createHash('sha256')
    let bytes = 0
    let part = 0
    for await (const data of inParts(content)) {
      for await (const step of inSteps(data)) hash.update(step)
      bytes += data.length
      await addPart(`${name}/${part++}`, data)
    }
    return { name, bytes, hash: hash.digest('hex') }
  }

  const encrypted = await encrypter.encrypt(webStream(inSteps(pack as AsyncIterable<Buffer>)))
  const whole = createHash('sha256')
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of encrypted as WebStream<Uint8Array>) {
      to.signal?.throwIfAborted()
      whole.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  // If writing or filling fails, the other one is cancelled, because it would wait forever.
  const failures: unknown[] = []
  const endBoth = (error: Error) => {
    failures.push(error)
    pack.destroy(error)
  }
  const writing = to.target.write(to.name, counted()).catch(endBoth)
  const filling = fill(add)
    .then(() => pack.finalize())
    .catch(endBoth)
  await Promise.all([filling, writing])
  // When the target fails, the aborted tar entry, or the next one, may be reported before the actual cause, which is preferred.
  const isConsequence = (error: unknown) =>
    /^(tar entry destroyed|already finalized or destroyed)$/.test((error as Error).message)
  if (failures.length > 0) throw failures.find((error) => !isConsequence(error)) ?? failures[0]
  return { bytes, hash: whole.digest('hex') }
}

/** The chunk size of age. */
const stepBytes = 65_536

/** Yields to the event loop after each 64 KiB, because encryption, hashing and parsing are synchronous. */
export async function* inSteps(content: AsyncIterable<Buffer> | Buffer): AsyncGenerator<Buffer> {
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
    for (let from = 0; from < chunk.length; from += stepBytes) {
      yield chunk.subarray(from, from + stepBytes)
      await nextTurn()
    }
  }
}

/** The cast: Node and the DOM declare the same class separately. */
const webStream = (from: AsyncIterable<unknown>) => WebStream.from(from) as unknown as ReadableStream<Uint8Array>

/** Splits content into parts of exactly `partBytes` and a shorter last one; empty content gives one empty part. */
async function* inParts(content: Parameters<AddItem>[1]): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  let some = false
  for await (const chunk of content) {
    let data =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    while (size + data.length >= partBytes) {
      yield Buffer.concat([...waiting, data.subarray(0, partBytes - size)])
      some = true
      data = data.subarray(partBytes - size)
      waiting = []
      size = 0
    }
    if (data.length > 0) waiting.push(data)
    size += data.length
  }
  if (size > 0 || !some) yield Buffer.concat(waiting)
}

export type ItemHandler = (name: string, content: AsyncIterable<Buffer>) => Promise<void>

/** Reads an archive of this machine from start to end; see `readItems`. */
export const readArchive = (
  path: string,
  identity: string,
  take: ItemHandler,
  signal?: AbortSignal,
): Promise<ArchiveItem[]> =>
  readItems({ label: path, content: createReadStream(path) }, identity, take, { ...(signal && { signal }) })

/**
 * Reads an archive.
 * @param from.label what errors call it
 * @param take called with each item; content that it does not read is skipped
 * @param options.until reading ends before the first item for which this is true
 * @param options.signal aborts reading
 * @returns all items that were read
 * @throws {UnusableArchive}; {TargetFailure} of the content
 */
export async function readItems(
  from: { label: string; content: AsyncIterable<Uint8Array> },
  identity: string,
  take: ItemHandler,
  options: { until?: (name: string) => boolean; signal?: AbortSignal } = {},
): Promise<ArchiveItem[]> {
  const items: ArchiveItem[] = []
  const { label } = from
  const file = from.content instanceof Readable ? from.content : Readable.from(from.content, { objectMode: false })
  const parts = partsOf(label, file, identity)
  /** Turns errors of reading into `UnusableArchive`; errors of `take` are rethrown as they are. */
  const nextPart = async () => {
    options.signal?.throwIfAborted()
    return parts.next().catch((error) => {
      throw unusable(label, error)
    })
  }
  try {
    let next = await nextPart()
    while (!next.done && !options.until?.(next.value.name)) {
      const { name } = next.value
      const hash = createHash('sha256')
      let bytes = 0
      const content = async function* () {
        while (!next.done && next.value.name === name) {
          const { data } = next.value
          for await (const step of inSteps(data)) hash.update(step)
          bytes += data.length
          next = await nextPart()
          yield data
        }
      }
      const rest = content()
      // Hides the generator's `return`, so that leaving a `for await` early does not end it.
      await take(name, { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) })
      while (!(await rest.next()).done);
      items.push({ name, bytes, hash: hash.digest('hex') })
    }
    return items
  } finally {
    await parts.return(undefined).catch(() => {})
    file.destroy()
  }
}

function unusable(path: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof UnusableArchive || error instanceof TargetFailure) return error
  if (error.syscall === undefined) return new UnusableArchive({ key: 'archiveCutOff', archive: path }, error)
  return new UnusableArchive({ key: 'archiveNotRead', archive: path, detail: error.message }, error)
}

const ageVersionLine = 'age-encryption.org/v1\n'
/** Its last line ends the header, which is a few hundred bytes. */
const ageHeaderEnd = /\n--- [^\n]*\n/
const ageHeaderBytes = 65_536

/**
 * Passes on what begins with the header of an encrypted file. Of anything else `Decrypter` would collect all bytes up to the first end
 * of a line, which may fill the memory.
 * @throws {UnusableArchive}
 */
async function* requireHeader(path: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    if (!begin) {
      yield chunk
      continue
    }
    begin = Buffer.concat([begin, chunk])
    const text = begin.toString('latin1', 0, ageHeaderBytes)
    if (text.startsWith(ageVersionLine) && ageHeaderEnd.test(text)) {
      yield begin
      begin = undefined
    } else if (begin.length >= ageHeaderBytes) break
  }
  if (begin) throw new UnusableArchive({ key: 'archiveNotEncrypted', archive: path })
}

async function* partsOf(
  path: string,
  file: Readable,
  identity: string,
): AsyncGenerator<{ name: string; data: Buffer }, undefined> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const decrypted = await decrypter.decrypt(webStream(requireHeader(path, file))).catch((error: Error) => {
    if (error instanceof UnusableArchive || error instanceof TargetFailure) throw error
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    if (/no identity matched/.test(error.message)) throw new OtherKeyArchive(path, error)
    throw new UnusableArchive({ key: 'archiveNotEncrypted', archive: path }, error)
  })
  const extract = tar.extract()
  const piping = pipeline(Readable.fromWeb(decrypted as WebStream<Uint8Array>), extract)
  piping.catch((error) => extract.destroy(error))
  for await (const entry of extract) {
    const { name, size = 0 } = entry.header
    if (size > partBytes) throw new UnusableArchive({ key: 'archiveForeign', archive: path })
    const chunks: Buffer[] = []
    for await (const chunk of inSteps(entry as AsyncIterable<Buffer>)) chunks.push(chunk)
    yield { name: name.replace(/\/\d+$/, ''), data: Buffer.concat(chunks) }
  }
  await piping
}
