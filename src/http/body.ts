import { Refusal } from '../contract/errors.ts'

/** The names and values of a body, in order; a name that came twice is in here twice. */
export interface ReadBody {
  kind: 'json' | 'form'
  entries: [name: string, value: unknown][]
}

/**
 * Reads a flat body: a JSON object, or a form in either encoding. JSON that is no object has no entries.
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` for what cannot be read at all
 */
export async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  const { type, contentType } = typeOf(request)
  const read = readers[type]
  if (!read) throw new Refusal('unsupported_type')
  const text = decode(await readBytes(request, maxBytes))
  return { kind: type === 'application/json' ? 'json' : 'form', entries: await read(text, contentType) }
}

/**
 * Reads a body that must be JSON, without taking it apart.
 * @throws {Refusal} `unsupported_type`, `too_large`, or `malformed` for what is no JSON, or names a field twice
 */
export async function readJson(request: Request, maxBytes: number): Promise<string> {
  if (typeOf(request).type !== 'application/json') throw new Refusal('unsupported_type')
  const text = decode(await readBytes(request, maxBytes))
  parseJson(text)
  return text
}

function typeOf(request: Request): { type: string; contentType: string } {
  const contentType = request.headers.get('content-type') ?? ''
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new Refusal('unsupported_type')
  }
  return { type: type ?? '', contentType }
}

type Reader = (text: string, contentType: string) => ReadBody['entries'] | Promise<ReadBody['entries']>

const readers: Record<string, Reader | undefined> = {
  __proto__: null as never,
  'application/json': jsonEntries,
  'application/x-www-form-urlencoded': formEntries,
  'multipart/form-data': multipartEntries,
}

const mostPieces = 4_096

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBytes) throw new Refusal('too_large')
  try {
    // Node itself holds a client to the length that it announced.
    if (length !== null) return new Uint8Array(await request.arrayBuffer())
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      // Each piece costs some hundred times its byte, so their number has an end too.
      if (bytes > maxBytes || chunks.length >= mostPieces) throw new Refusal('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The client went away in the middle of its sentence.
    throw new Refusal('malformed')
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('malformed')
  }
}

function jsonEntries(text: string): ReadBody['entries'] {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
}

/** Parsed, the last of two equal names wins silently; the quotes tell that there were two. */
function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('malformed')
  }
  if (stringsIn(value) !== countStrings(text)) throw new Refusal('malformed')
  return value
}

/** How many strings, names included, a value holds. A list of what is left, for a body may be nested deeper than calls can be. */
function stringsIn(value: unknown): number {
  let count = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') count++
    if (typeof one !== 'object' || one === null) continue
    if (!Array.isArray(one)) count += Object.keys(one).length
    for (const inner of Object.values(one)) left.push(inner)
  }
  return count
}

/** How many strings, names included, stand in a text that is known to be JSON. */
function countStrings(json: string): number {
  let count = 0
  for (let index = 0; index < json.length; index++) {
    if (json[index] !== '"') continue
    count++
    for (index++; json[index] !== '"'; index++) if (json[index] === '\\') index++
  }
  return count
}

function formEntries(text: string): ReadBody['entries'] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [unescaped(pair), ''] : [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))]
    })
}

/** URLSearchParams would put U+FFFD where the bytes are not UTF-8; here that is refused. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('malformed')
  }
}

async function multipartEntries(text: string, contentType: string): Promise<ReadBody['entries']> {
  try {
    const form = await new Response(text, { headers: { 'Content-Type': contentType } }).formData()
    return [...form.entries()]
  } catch {
    throw new Refusal('malformed')
  }
}
