import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import type { Locale } from '../contract/locales.ts'
import { PageViews, type ViewedPage } from './page-views.ts'

/** An answer that is made once and then given to everyone, as bytes. */
export interface KeptAnswer {
  tags: string[]
  /** A visitor with one of these cookies may have to see something else, and is not given this. Each ends in `=`. */
  changedBy: string[]
  /** Of a page: who looks at it is counted here. */
  viewed?: ViewedPage | undefined
  identity: Variant
  gzip?: Variant | undefined
  br?: Variant | undefined
}

/** One encoding of an answer: the headers as the wire has them (name, value, name, value …) and the bytes. */
export interface Variant {
  etag: string
  headers: string[]
  /** Headers of the 304. */
  unchanged: string[]
  body: Buffer
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** The session's cookie, as Better Auth names it; behind https it has a prefix. */
export const sessionCookie = 'etalage.session_token='

/** Bytes of answers kept at most; what was not asked for longest goes first. */
const keptBytes = 48 * 1_048_576

export class KeptAnswers {
  readonly #answers = new LRUCache<string, KeptAnswer>({
    maxSize: keptBytes,
    sizeCalculation: (answer) =>
      answer.identity.body.length + (answer.gzip?.body.length ?? 0) + (answer.br?.body.length ?? 0) + 4_096,
  })
  /** How often an answer was given from here, by status. */
  readonly given = { 200: 0, 304: 0 }
  /** How often pages were looked at, here and past the layers. */
  readonly views = new PageViews()
  /** What is being made, by address, for all who ask meanwhile. A drop empties it: what was begun before is not kept after. */
  readonly #making = new Map<string, Promise<KeptAnswer>>()

  /** The answer kept for an address, or else the one that `make` makes: once for all who ask, and kept when nothing was dropped meanwhile. */
  async findOrMake(url: string, make: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const known = this.#answers.get(url)
    if (known) return known
    const underWay = this.#making.get(url)
    if (underWay) return underWay
    const making = make()
    this.#making.set(url, making)
    const stillGood = () => this.#making.get(url) === making
    try {
      const made = await making
      if (stillGood()) this.#answers.set(url, made)
      return made
    } finally {
      if (stillGood()) this.#making.delete(url)
    }
  }

  /** Forgets what carries one of the tags; `site` and `all` touch everything but files that never change. */
  drop(tags: string[] | 'all'): void {
    this.#making.clear()
    const everything = tags === 'all' || tags.includes('site')
    for (const [url, answer] of this.#answers.entries()) {
      if (answer.tags.length === 0) continue
      if (everything || answer.tags.some((tag) => tags.includes(tag))) this.#answers.delete(url)
    }
  }

  /**
   * Answers straight from Node's request to Node's response, past every layer above; false when this is nothing kept.
   * This is the path of nearly every visit: it reads the raw headers, for Node builds its header object only when asked.
   */
  give(request: IncomingMessage, response: ServerResponse): boolean {
    const head = request.method === 'HEAD'
    if (!head && request.method !== 'GET') return false
    const answer = this.#answers.get(request.url as string)
    if (answer === undefined) return false

    let accepted = ''
    let match = ''
    let agent: string | undefined
    let purpose: string | undefined
    const raw = request.rawHeaders
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] as string
      // Few headers have these lengths, so few are compared.
      if (name.length === 15) {
        if (name.toLowerCase() === 'accept-encoding') accepted = raw[index + 1] as string
      } else if (name.length === 13) {
        if (name.toLowerCase() === 'if-none-match') match = raw[index + 1] as string
      } else if (name.length === 10) {
        if (name.toLowerCase() === 'user-agent') agent = raw[index + 1]
      } else if (name.length === 11 || name.length === 7) {
        if (isPurpose(name.toLowerCase())) purpose = raw[index + 1]
      } else if (name.length === 6 && answer.changedBy.length > 0 && name.toLowerCase() === 'cookie') {
        const cookies = raw[index + 1] as string
        if (answer.changedBy.some((cookie) => cookies.includes(cookie))) return false
      }
    }

    if (answer.viewed && !head) this.views.count(answer.viewed, { agent, purpose })
    const variant = choose(answer, accepted)
    const known = match === '' ? undefined : matching(answer, variant, match)
    if (known) {
      this.given[304]++
      response.writeHead(304, known.unchanged)
      response.end()
      return true
    }
    this.given[200]++
    response.writeHead(200, variant.headers)
    if (head) response.end()
    else response.end(variant.body)
    return true
  }

  /** The same answer for a request that came through the layers. */
  respond(request: Request, answer: KeptAnswer): Response {
    const variant = choose(answer, request.headers.get('accept-encoding') ?? '')
    const match = request.headers.get('if-none-match')
    const known = match ? matching(answer, variant, match) : undefined
    if (known) return new Response(null, { status: 304, headers: pairs(known.unchanged) })
    const body = request.method === 'HEAD' ? null : new Uint8Array(variant.body)
    return new Response(body, { headers: pairs(variant.headers) })
  }
}

const isPurpose = (name: string) => name === 'sec-purpose' || name === 'purpose'

/**
 * Makes an answer: gzip at once (a millisecond), brotli when it is ready. Bytes under 512 are not worth packing.
 * @param headers without `ETag`, `Content-Length`, `Content-Encoding`
 */
export async function makeAnswer(made: {
  body: Buffer
  headers: [name: string, value: string][]
  tags: string[]
  changedBy?: string[]
  /** The page that this is, when it is one. */
  page?: { path: string; locale: Locale }
  packs: boolean
  /** The body in brotli, when it lies ready. */
  brotli?: Buffer | undefined
}): Promise<KeptAnswer> {
  const hash = createHash('sha256').update(made.body).digest('base64url').slice(0, 22)
  const variant = (body: Buffer, encoding: Encoding): Variant => {
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`
    const flat = made.headers.flat()
    const about = [
      'ETag',
      etag,
      ...flat.filter((_, index) => keptOn304.has((flat[index - (index % 2)] as string).toLowerCase())),
    ]
    return {
      etag,
      headers: [
        ...flat,
        ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
        'Content-Length',
        String(body.length),
        'ETag',
        etag,
      ],
      unchanged: about,
      body,
    }
  }
  const answer: KeptAnswer = {
    tags: made.tags,
    changedBy: made.changedBy ?? [],
    viewed: made.page && { ...made.page, views: 0 },
    identity: variant(made.body, 'identity'),
  }
  if (made.packs && made.body.length >= 512) {
    answer.gzip = variant(await promisify(gzip)(made.body, { level: 7 }), 'gzip')
    if (made.brotli) answer.br = variant(made.brotli, 'br')
    else
      packLater(made.body, (body) => {
        answer.br = variant(body, 'br')
      })
  }
  return answer
}

/** The smallest takes its time, and nobody waits for it. */
function packLater(body: Buffer, packed: (body: Buffer) => void): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  brotliCompress(body, { params }, (error, packedBody) => {
    if (!error) packed(packedBody)
  })
}

/** A 304 repeats what caches keep, and leaves out what describes the bytes it does not send. */
const keptOn304 = new Set(['cache-control', 'vary', 'content-location', 'expires'])

function choose(answer: KeptAnswer, accepted: string): Variant {
  const encoding = accepted === '' ? 'identity' : negotiate(accepted)
  if (encoding === 'br') return answer.br ?? answer.gzip ?? answer.identity
  return (encoding === 'gzip' ? answer.gzip : undefined) ?? answer.identity
}

/** Browsers send a handful of different lines, so each is read once. */
const negotiated = new Map<string, Encoding>()

/** The encoding that a browser likes best, by its `Accept-Encoding`. */
export function negotiate(accepted: string): Encoding {
  const known = negotiated.get(accepted)
  if (known !== undefined) return known
  const allowed = new Set(
    parseAccept(accepted)
      .filter((one) => one.q > 0)
      .map((one) => one.type.toLowerCase()),
  )
  const encoding = allowed.has('br') ? 'br' : allowed.has('gzip') || allowed.has('x-gzip') ? 'gzip' : 'identity'
  if (negotiated.size >= 200) negotiated.clear()
  negotiated.set(accepted, encoding)
  return encoding
}

/** The encoding that the visitor keeps, if any: whichever it is, it is of the same page, and stays good under its own ETag. */
function matching(answer: KeptAnswer, chosen: Variant, match: string): Variant | undefined {
  if (match === chosen.etag || match === '*') return chosen
  const tags = match.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return [chosen, answer.br, answer.gzip, answer.identity].find((one) => one !== undefined && tags.includes(one.etag))
}

const pairs = (raw: string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] as string, raw[index * 2 + 1] as string])
