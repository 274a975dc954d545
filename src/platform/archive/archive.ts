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
  /** SHA-256 in hex. */
  hash: string
}

/** An item is stored in parts of this size, because tar needs the size of an entry before its content. */
const partBytes = 1_048_576

export type AddItem = (
  name: string,
  content: Iterable<string> | AsyncIterable<string | Uint8Array>,
) => Promise<ArchiveItem>

/**
 * Writes an archive: a `tar` encrypted by `age`, with the item `a/b` in the entries `a/b/0`, `a/b/1` and so on.
 * @param recipient the public key
 * @param fill adds the items, one at a time
 * @returns the size and hash (SHA-256 in hex) of the encrypted archive
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
    for await (const data of splitIntoParts(content)) {
      for await (const step of inSteps(data)) hash.update(step)
      bytes += data.length
      await addPart(`${name}/${part++}`, data)
    }
    return { name, bytes, hash: hash.digest('hex') }
  }

  const encrypted = await encrypter.encrypt(webStream(inSteps(pack as AsyncIterable<Buffer>)))
  const archiveHash = createHash('sha256')
  let bytes = 0
  const countedContent = async function* () {
    for await (const chunk of encrypted as WebStream<Uint8Array>) {
      to.signal?.throwIfAborted()
      archiveHash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  // When writing or filling fails, destroying `pack` ends the other one too, which would wait forever.
  const failures: unknown[] = []
  const recordAndEnd = (error: Error) => {
    failures.push(error)
    pack.destroy(error)
  }
  const writing = to.target.write(to.name, countedContent()).catch(recordAndEnd)
  const filling = fill(add)
    .then(() => pack.finalize())
    .catch(recordAndEnd)
  await Promise.all([filling, writing])
  // When the target fails, the aborted tar entry, or the next one, may be reported before the actual cause, which is preferred.
  const isConsequence = (error: unknown) =>
    /^(tar entry destroyed|already finalized or destroyed)$/.test((error as Error).message)
  if (failures.length > 0) throw failures.find((error) => !isConsequence(error)) ?? failures[0]
  return { bytes, hash: archiveHash.digest('hex') }
}

/** The chunk size of age. */
const stepBytes = 65_536

/**
 * Splits content into steps of 64 KiB and yields to the event loop after each, because hashing and encryption are
 * synchronous.
 */
export async function* inSteps(content: AsyncIterable<Buffer> | Buffer): AsyncGenerator<Buffer> {
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
    for (let start = 0; start < chunk.length; start += stepBytes) {
      yield chunk.subarray(start, start + stepBytes)
      await nextTurn()
    }
  }
}

/** The cast: Node and the DOM declare the same class separately. */
const webStream = (from: AsyncIterable<unknown>) => WebStream.from(from) as unknown as ReadableStream<Uint8Array>

/** Splits content into parts of exactly `partBytes` and a shorter last one; empty content gives one empty part. */
async function* splitIntoParts(content: Parameters<AddItem>[1]): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let hasPart = false
  for await (const chunk of content) {
    let data =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    while (pendingBytes + data.length >= partBytes) {
      yield Buffer.concat([...pending, data.subarray(0, partBytes - pendingBytes)])
      hasPart = true
      data = data.subarray(partBytes - pendingBytes)
      pending = []
      pendingBytes = 0
    }
    if (data.length > 0) pending.push(data)
    pendingBytes += data.length
  }
  if (pendingBytes > 0 || !hasPart) yield Buffer.concat(pending)
}

export type ItemHandler = (name: string, content: AsyncIterable<Buffer>) => Promise<void>

/** Reads a local archive from start to end; see `readItems`. */
export const readArchive = (
  path: string,
  identity: string,
  handleItem: ItemHandler,
  signal?: AbortSignal,
): Promise<ArchiveItem[]> =>
  readItems({ label: path, content: createReadStream(path) }, identity, handleItem, { ...(signal && { signal }) })

/** An encrypted archive to read. `label` names it in errors. */
export interface ArchiveSource {
  label: string
  content: AsyncIterable<Uint8Array>
}

/**
 * Reads an archive.
 * @param identity the private key
 * @param handleItem called with each item in turn; content that it does not read is skipped, but hashed
 * @param options.until reading ends before the first item for which this is true
 * @returns all items that were read, with the sizes and hashes of what was read
 * @throws {UnusableArchive}; {TargetFailure} when reading `from.content` fails; errors of `handleItem`
 */
export async function readItems(
  from: ArchiveSource,
  identity: string,
  handleItem: ItemHandler,
  options: { until?: (name: string) => boolean; signal?: AbortSignal } = {},
): Promise<ArchiveItem[]> {
  const items: ArchiveItem[] = []
  const { label } = from
  const file = from.content instanceof Readable ? from.content : Readable.from(from.content, { objectMode: false })
  const parts = readParts(label, file, identity)
  // Only errors of reading become `UnusableArchive`, not those of `handleItem`.
  const nextPart = async () => {
    options.signal?.throwIfAborted()
    return parts.next().catch((error) => {
      throw toReadError(label, error)
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
      const chunks = content()
      // Hides the generator's `return`, so that a handler that leaves its `for await` early does not end it.
      await handleItem(name, { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) })
      // Reads and hashes what the handler left.
      while (!(await chunks.next()).done);
      items.push({ name, bytes, hash: hash.digest('hex') })
    }
    return items
  } finally {
    await parts.return(undefined).catch(() => {})
    file.destroy()
  }
}

/** An error without `syscall` is of decryption or tar: the archive ends too early. */
function toReadError(path: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof UnusableArchive || error instanceof TargetFailure) return error
  if (error.syscall === undefined) return new UnusableArchive({ key: 'archiveCutOff', archive: path }, error)
  return new UnusableArchive({ key: 'archiveNotRead', archive: path, detail: error.message }, error)
}

const ageVersionLine = 'age-encryption.org/v1\n'
/** The last line of the header, which has a few hundred bytes. */
const ageHeaderEnd = /\n--- [^\n]*\n/
const maxAgeHeaderBytes = 65_536

/**
 * Requires the header of an `age` file: of other content, `Decrypter` would buffer all up to a line break.
 * @throws {UnusableArchive}
 */
async function* requireHeader(path: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    if (!head) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    const text = head.toString('latin1', 0, maxAgeHeaderBytes)
    if (text.startsWith(ageVersionLine) && ageHeaderEnd.test(text)) {
      yield head
      head = undefined
    } else if (head.length >= maxAgeHeaderBytes) break
  }
  if (head) throw new UnusableArchive({ key: 'archiveNotEncrypted', archive: path })
}

/** Yields the parts of an archive in order, each with the name of its item. */
async function* readParts(
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
