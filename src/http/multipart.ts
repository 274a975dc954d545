import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../contract/errors.ts'
import { cleanFileName } from '../contract/text.ts'
import { hashFile } from '../platform/storage/temporary-files.ts'

/** A posted file of a form, stored as a temporary file. */
export class PostedFile {
  readonly path: string
  /** The file name that the browser sent, cleaned: it is shown in emails and lists. */
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
 * held in memory. An empty file without a name is left out: browsers send it for an empty file field.
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
    /** Not a stream of the file handle: a stream for each part would leave a listener on it. */
    async function* chunks(start: number, end: number) {
      for (let offset = start; offset < end; ) {
        const chunk = await read(offset, Math.min(end, offset + chunkBytes))
        if (chunk.length === 0) return
        yield chunk
        offset += chunk.length
      }
    }
    const body: Body = { chunks: () => chunks(0, Number.POSITIVE_INFINITY), read }
    return await readParts(body, contentType, async (name, { start, end }, index) => {
      const copyPath = join(folder, `part-${index}`)
      if (end > start) {
        await pipeline(chunks(start, end), createWriteStream(copyPath, { mode: 0o600 }))
      } else await (await open(copyPath, 'w', 0o600)).close()
      return new PostedFile({ path: copyPath, name, ...(await hashFile(copyPath)) })
    })
  } finally {
    await file.close()
  }
}

/** `readMultipartFile` for a body in memory; only the name of a file is returned. @throws {Refusal} as above */
export function readMultipart(
  bytes: Uint8Array,
  contentType: string,
): Promise<[name: string, value: string | { fileName: string }][]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const inMemory: Body = { chunks: () => [buffer], read: (start, end) => buffer.subarray(start, end) }
  return readParts(inMemory, contentType, (fileName) => ({ fileName }))
}

interface Body {
  chunks(): Iterable<Buffer> | AsyncIterable<Buffer>
  /** The bytes from `start` up to `end`; fewer where the body ends. */
  read(start: number, end: number): Buffer | Promise<Buffer>
}
/** Byte offsets in the body; `end` is exclusive. */
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
  /** The offsets of the delimiters. */
  const offsets: number[] = []
  // The first delimiter may lack its line break, so one is put before the body.
  let rest = Buffer.from('\r\n')
  let windowStart = -rest.length
  for await (const chunk of body.chunks()) {
    const window = Buffer.concat([rest, chunk])
    let index = window.indexOf(delimiter)
    while (index >= 0) {
      offsets.push(windowStart + index)
      if (offsets.length > maxParts) throw new Refusal('too_large')
      index = window.indexOf(delimiter, index + delimiter.length)
    }
    // A delimiter may lie across two chunks. The overlap is shorter than a delimiter, so none is found twice.
    const overlap = Math.min(window.length, delimiter.length - 1)
    windowStart += window.length - overlap
    rest = window.subarray(window.length - overlap)
  }
  const lastOffset = offsets.at(-1)
  if (lastOffset === undefined) throw new Refusal('malformed')
  const closing = await body.read(lastOffset + delimiter.length, lastOffset + delimiter.length + 2)
  if (closing.toString('latin1') !== '--') throw new Refusal('malformed')
  return offsets.slice(0, -1).map((offset, i) => ({ start: offset + delimiter.length, end: offsets[i + 1] as number }))
}

/** The field name of a part, its file name (undefined: the part is no file), and the offset of its body. */
async function readHeaders(
  body: Body,
  { start, end }: Range,
): Promise<{ name: string; fileName: string | undefined; bodyStart: number }> {
  const bytes = await body.read(start, Math.min(end, start + maxHeaderBytes))
  const headerEnd = bytes.indexOf('\r\n\r\n')
  if (headerEnd < 0 || bytes.indexOf('\r\n') !== 0) throw new Refusal('malformed')
  const disposition = decode(bytes.subarray(2, headerEnd))
    .split('\r\n')
    .find((line) => /^content-disposition:\s*form-data\s*;/i.test(line))
  const parameter = (name: string) => new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition ?? '')?.[1]
  const name = parameter('name')
  if (name === undefined) throw new Refusal('malformed')
  const fileName = parameter('filename')
  return { name: unescapeName(name), fileName: fileName && unescapeName(fileName), bodyStart: start + headerEnd + 4 }
}

/** Browsers escape line breaks and quotes in names. */
const unescapeName = (text: string) => text.replace(/%0[da]/gi, ' ').replaceAll('%22', '"')

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('malformed')
  }
}
