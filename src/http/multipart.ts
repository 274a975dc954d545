import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../contract/errors.ts'
import { cleanFileName } from '../contract/text.ts'
import { hashFile } from '../platform/storage/temporary-files.ts'

/** A file of a form, as a temporary file of its own. */
export class PostedFile {
  readonly path: string
  /** As the browser sent it, cleaned: it is shown in emails and lists. */
  readonly name: string
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly hash: string

  constructor(file: { path: string; name: string; bytes: number; hash: string }) {
    this.path = file.path
    this.name = cleanFileName(file.name)
    this.bytes = file.bytes
    this.hash = file.hash
  }
}

const maxParts = 500
const maxHeaderBytes = 4_096
const maxTextBytes = 200_000
const chunkBytes = 65_536

/**
 * The entries of a `multipart/form-data` body (RFC 7578) that is stored in a file. Files are copied into `folder`, never
 * held in memory; an empty one without a name is what a browser sends for no file, and is left out.
 * @throws {Refusal} `malformed`; `too_large` for too many parts
 */
export async function readMultipartFile(
  path: string,
  contentType: string,
  folder: string,
): Promise<[name: string, value: string | PostedFile][]> {
  const file = await open(path)
  try {
    const read = async (start: number, end: number) => {
      const buffer = Buffer.alloc(Math.max(0, end - start))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
      return buffer.subarray(0, bytesRead)
    }
    /** A stream for each part would leave a listener on the file. */
    async function* chunks(from: number, end: number) {
      for (let start = from; start < end; ) {
        const chunk = await read(start, Math.min(end, start + chunkBytes))
        if (chunk.length === 0) return
        yield chunk
        start += chunk.length
      }
    }
    const stored: Body = { chunks: () => chunks(0, Number.POSITIVE_INFINITY), read }
    return await readParts(stored, contentType, async (name, { start, end }, index) => {
      const copy = join(folder, `part-${index}`)
      if (end > start) {
        await pipeline(chunks(start, end), createWriteStream(copy, { mode: 0o600 }))
      } else await (await open(copy, 'w', 0o600)).close()
      return new PostedFile({ path: copy, name, ...(await hashFile(copy)) })
    })
  } finally {
    await file.close()
  }
}

/** `readMultipartFile` for a body in memory; of a file only its name is returned. @throws {Refusal} as above */
export function readMultipart(
  bytes: Uint8Array,
  contentType: string,
): Promise<[name: string, value: string | { fileName: string }][]> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const inMemory: Body = { chunks: () => [body], read: (start, end) => body.subarray(start, end) }
  return readParts(inMemory, contentType, (fileName) => ({ fileName }))
}

interface Body {
  chunks(): Iterable<Buffer> | AsyncIterable<Buffer>
  /** Less than was asked for where the body ends. */
  read(start: number, end: number): Buffer | Promise<Buffer>
}
interface Range {
  start: number
  end: number
}

async function readParts<File>(
  body: Body,
  contentType: string,
  readFile: (name: string, content: Range, index: number) => File | Promise<File>,
): Promise<[name: string, value: string | File][]> {
  const entries: [string, string | File][] = []
  for (const [index, part] of (await findParts(body, boundaryOf(contentType))).entries()) {
    const { name, fileName, bodyStart } = await readHeaders(body, part)
    const content = { start: bodyStart, end: part.end }
    const bytes = content.end - content.start
    if (fileName === undefined) {
      if (bytes > maxTextBytes) throw new Refusal('too_large')
      entries.push([name, decode(await body.read(content.start, content.end))])
    } else if (fileName !== '' || bytes > 0) entries.push([name, await readFile(fileName, content, index)])
  }
  return entries
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw new Refusal('malformed')
  return boundary
}

/** The range of each part, its headers included. */
async function findParts(body: Body, boundary: string): Promise<Range[]> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const at: number[] = []
  // The first delimiter may lack its line break, which is put before the file.
  let rest = Buffer.from('\r\n')
  let offset = -rest.length
  for await (const chunk of body.chunks()) {
    const seen = Buffer.concat([rest, chunk])
    for (let found = seen.indexOf(delimiter); found >= 0; found = seen.indexOf(delimiter, found + delimiter.length)) {
      at.push(offset + found)
      if (at.length > maxParts) throw new Refusal('too_large')
    }
    // A delimiter may lie across two chunks; a whole one is never seen twice.
    const overlap = Math.min(seen.length, delimiter.length - 1)
    offset += seen.length - overlap
    rest = seen.subarray(seen.length - overlap)
  }
  const last = at.at(-1)
  if (last === undefined) throw new Refusal('malformed')
  const closing = await body.read(last + delimiter.length, last + delimiter.length + 2)
  if (closing.toString('latin1') !== '--') throw new Refusal('malformed')
  return at.slice(0, -1).map((start, index) => ({ start: start + delimiter.length, end: at[index + 1] as number }))
}

/** The name of a part, and where its body begins. */
async function readHeaders(
  body: Body,
  { start, end }: Range,
): Promise<{ name: string; fileName: string | undefined; bodyStart: number }> {
  const text = await body.read(start, Math.min(end, start + maxHeaderBytes))
  const length = text.indexOf('\r\n\r\n')
  if (length < 0 || text.indexOf('\r\n') !== 0) throw new Refusal('malformed')
  const header = decode(text.subarray(2, length))
    .split('\r\n')
    .find((line) => /^content-disposition:\s*form-data\s*;/i.test(line))
  const parameter = (name: string) => new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(header ?? '')?.[1]
  const name = parameter('name')
  if (name === undefined) throw new Refusal('malformed')
  const fileName = parameter('filename')
  return { name: unescapeName(name), fileName: fileName && unescapeName(fileName), bodyStart: start + length + 4 }
}

/** As browsers escape names. */
const unescapeName = (text: string) => text.replace(/%0[da]/gi, ' ').replaceAll('%22', '"')

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('malformed')
  }
}
