import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { isNestedTooDeep } from '../contract/text.ts'
import { readMultipart } from './multipart.ts'

/** The entries of a body, in order; a repeated name has several entries. */
interface ParsedBody {
  kind: 'json' | 'form'
  entries: [name: string, value: unknown][]
}

/**
 * Reads a flat body: a JSON object, or a form, URL-encoded or multipart. JSON that is not an object has no entries.
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` when it cannot be parsed; `too_many` for a large body while
 * too much of others has arrived
 */
export async function readBody(request: Request, maxBytes: number): Promise<ParsedBody> {
  const { type, contentType } = mediaTypeOf(request)
  const readEntries = readers[type]
  if (!readEntries) throw new Refusal('unsupported_type')
  const bytes = await readBytes(request, maxBytes, { countsLargeBodies: true })
  return { kind: type === 'application/json' ? 'json' : 'form', entries: await readEntries(bytes, contentType) }
}

/**
 * Validates a JSON body and returns its text.
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` when it is not JSON, or repeats a key
 */
export async function readJson(request: Request, maxBytes: number): Promise<string> {
  if (mediaTypeOf(request).type !== 'application/json') throw new Refusal('unsupported_type')
  const text = decode(await readBytes(request, maxBytes))
  parseJson(text)
  return text
}

/** The media type; '' if none. @throws {Refusal} `unsupported_type` for a compressed body, or one not in UTF-8 */
function mediaTypeOf(request: Request): { type: string; contentType: string } {
  const contentType = request.headers.get('content-type') ?? ''
  const [type, ...parameters] = contentType.split(';').map((text) => text.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new Refusal('unsupported_type')
  }
  return { type: type ?? '', contentType }
}

type Reader = (bytes: Uint8Array, contentType: string) => ParsedBody['entries'] | Promise<ParsedBody['entries']>

const readers: Record<string, Reader | undefined> = {
  // Without a prototype: a media type such as `constructor` must not find a method.
  __proto__: null as never,
  'application/json': (bytes) => jsonEntries(decode(bytes)),
  'application/x-www-form-urlencoded': (bytes) => formEntries(decode(bytes)),
  'multipart/form-data': readMultipart,
}

/** A chunk takes some hundred bytes of memory besides its content, so the number of chunks is limited too. */
const maxChunks = 4_096

/** What has arrived of the large bodies that are being read, in bytes. */
let largeBodiesBytes = 0

/**
 * @param options.countsLargeBodies refuses a large body when too much of others has arrived: many that arrive slowly would fill
 * the memory
 */
async function readBytes(request: Request, maxBytes: number, { countsLargeBodies = false } = {}): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new Refusal('too_large')
  let counted = 0
  try {
    // Node itself enforces the Content-Length, so the body is not longer.
    if (length !== null && (!countsLargeBodies || Number(length) <= limits.smallBodyBytes))
      return new Uint8Array(await request.arrayBuffer())
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes || chunks.length >= maxChunks) throw new Refusal('too_large')
      if (countsLargeBodies && bytes > limits.smallBodyBytes) {
        largeBodiesBytes += bytes - counted
        counted = bytes
        if (largeBodiesBytes > limits.largeBodiesBytes) throw new Refusal('too_many', { retryAfter: 5 })
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The client disconnected during the body.
    throw new Refusal('malformed')
  } finally {
    largeBodiesBytes -= counted
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('malformed')
  }
}

function jsonEntries(text: string): ParsedBody['entries'] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
}

/** `JSON.parse` silently keeps the last of two equal keys; comparing the numbers of strings detects that. */
function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('malformed')
  }
  if (isNestedTooDeep(text) || countStringsInValue(value) !== countStringsInJson(text)) throw new Refusal('malformed')
  return value
}

/**
 * The number of strings in a value, keys included. Iterative, because a body may be nested deeper than the call stack
 * allows.
 */
function countStringsInValue(value: unknown): number {
  let count = 0
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const item = pending.pop()
    if (typeof item === 'string') count++
    if (typeof item !== 'object' || item === null) continue
    if (!Array.isArray(item)) count += Object.keys(item).length
    for (const inner of Object.values(item)) pending.push(inner)
  }
  return count
}

/** The number of strings, keys included, in a text that is valid JSON. */
function countStringsInJson(json: string): number {
  let count = 0
  for (let index = 0; index < json.length; index++) {
    if (json[index] !== '"') continue
    count++
    for (index++; json[index] !== '"'; index++) if (json[index] === '\\') index++
  }
  return count
}

function formEntries(text: string): ParsedBody['entries'] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equalsAt = pair.indexOf('=')
      return equalsAt < 0
        ? [decodeFormComponent(pair), '']
        : [decodeFormComponent(pair.slice(0, equalsAt)), decodeFormComponent(pair.slice(equalsAt + 1))]
    })
}

/** URLSearchParams would put U+FFFD where the bytes are not UTF-8; this refuses them. */
function decodeFormComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('malformed')
  }
}

/**
 * Reads the named fields of a form and ignores others. A repeated field counts as absent.
 * @throws {Refusal} `unsupported_type`, `too_large`, `malformed`
 */
export async function readForm<const Name extends string>(
  request: Request,
  names: readonly Name[],
  maxBytes: number = limits.formBodyBytes,
): Promise<Partial<Record<Name, string>>> {
  const { kind, entries } = await readBody(request, maxBytes)
  if (kind !== 'form') throw new Refusal('unsupported_type')
  const fields: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const values = entries.filter(([entryName]) => entryName === name).map(([, value]) => value)
    if (values.length === 1 && typeof values[0] === 'string') fields[name] = values[0]
  }
  return fields
}
