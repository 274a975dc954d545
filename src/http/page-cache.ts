import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { urlParameters } from '../contract/collections.ts'
import type { Locale } from '../contract/locales.ts'
import type { PageViewCount } from '../domain/views/views.ts'
import { memoize } from './memoize.ts'
import { PageViewCounter } from './page-views.ts'

/** A response that is rendered once and sent to every visitor, as bytes. */
export interface CachedResponse {
  tags: string[]
  /** Names of cookies, each ending in `=`. A request with one of them may need a different response and bypasses the cache. */
  bypassCookies: string[]
  /** For a page, the view counter that a cache hit increments. */
  viewCount?: PageViewCount | undefined
  identity: EncodedResponse
  gzip?: EncodedResponse | undefined
  br?: EncodedResponse | undefined
  /** Starts to compress it with Brotli; undefined once that has begun, and where nothing is to be compressed. */
  compressBrotli?: (() => void) | undefined
  /** It is outdated after this time. */
  maxAgeMs?: number | undefined
}

/** One encoding of a response: the headers as in `rawHeaders` (name, value, name, value …) and the bytes. */
export interface EncodedResponse {
  etag: string
  headers: string[]
  /** Headers of the 304. */
  notModifiedHeaders: string[]
  body: Buffer
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** The session cookie of Better Auth; behind https its name has a prefix. */
export const sessionCookie = 'etalage.session_token='

/** The size of the cache; the least recently used response is evicted first. */
const cacheBytes = 48 * 1_048_576

export class PageCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: cacheBytes,
    sizeCalculation: (cached) =>
      cached.identity.body.length + (cached.gzip?.body.length ?? 0) + (cached.br?.body.length ?? 0) + 4_096,
  })
  /** Cache hits by status. */
  readonly hits = { 200: 0, 304: 0 }
  /** Page views, from the cache and from rendered pages. */
  readonly views: PageViewCounter
  /**
   * Renderings in progress by URL, shared by concurrent requests. An invalidation clears it, so that a rendering which
   * began earlier is not cached.
   */
  readonly #rendering = new Map<string, Promise<CachedResponse>>()

  /** @param ownHost see `PageViewCounter` */
  constructor(ownHost?: string) {
    this.views = new PageViewCounter(ownHost)
  }

  /**
   * The cached response, or else the one that `render` renders: once for concurrent requests, and cached unless something was
   * invalidated meanwhile; then no CDN may store it either.
   */
  async getOrRender(url: string, render: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const cached = this.#responses.get(url)
    if (cached) return cached
    const inProgress = this.#rendering.get(url)
    if (inProgress) return inProgress
    const rendering: Promise<CachedResponse> = render().then((rendered) => {
      if (this.#rendering.get(url) !== rendering) return notStored(rendered)
      this.#responses.set(url, rendered, { ttl: rendered.maxAgeMs ?? 0 })
      return rendered
    })
    this.#rendering.set(url, rendering)
    try {
      return await rendering
    } finally {
      if (this.#rendering.get(url) === rendering) this.#rendering.delete(url)
    }
  }

  /** Evicts the responses with one of these tags; `site` and `all` evict everything except immutable files. */
  invalidate(tags: string[] | 'all'): void {
    this.#rendering.clear()
    const everything = tags === 'all' || tags.includes('site')
    for (const [url, cached] of this.#responses.entries()) {
      if (cached.tags.length === 0) continue
      if (everything || cached.tags.some((tag) => tags.includes(tag))) this.#responses.delete(url)
    }
  }

  /**
   * Responds to Node's request through Node's response, bypassing the middleware; false for a cache miss, and for a request
   * with a body. Nearly every visit takes this path.
   */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean {
    const head = request.method === 'HEAD'
    if (!head && request.method !== 'GET') return false
    const cached = this.#responses.get(cacheKey(request.url as string))
    if (cached === undefined) return false

    const { headers } = request
    if (hasBody(headers)) return false
    const { cookie } = headers
    if (cookie !== undefined && cached.bypassCookies.some((name) => cookie.includes(name))) return false

    if (cached.viewCount && !head) {
      this.views.count(cached.viewCount, {
        agent: headers['user-agent'],
        purpose: headers['sec-purpose'] ?? headers.purpose,
        referrer: headers.referer,
        host: headers.host,
        url: request.url as string,
      })
    }
    const variant = chooseEncoding(cached, headers['accept-encoding'] ?? '')
    const match = headers['if-none-match']
    const notModified = match ? matchEtag(cached, variant, match) : undefined
    if (notModified) {
      this.hits[304]++
      response.writeHead(304, notModified.notModifiedHeaders)
      response.end()
      return true
    }
    this.hits[200]++
    response.writeHead(200, variant.headers)
    if (head) response.end()
    else response.end(variant.body)
    return true
  }

  /**
   * The cached response for the URL of a request, ignoring its cookies: for when the database is unavailable. No CDN may store
   * it, because it may be outdated.
   */
  respondFromCache(request: Request): Response | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const { pathname, search } = new URL(request.url)
    const cached = this.#responses.get(cacheKey(pathname + search))
    return cached && this.respond(request, notStored(cached))
  }

  /** The same response for a request that passed the middleware. */
  respond(request: Request, cached: CachedResponse): Response {
    const variant = chooseEncoding(cached, request.headers.get('accept-encoding') ?? '')
    const match = request.headers.get('if-none-match')
    const notModified = match ? matchEtag(cached, variant, match) : undefined
    if (notModified) return new Response(null, { status: 304, headers: headerPairs(notModified.notModifiedHeaders) })
    const body = request.method === 'HEAD' ? null : new Uint8Array(variant.body)
    return new Response(body, { headers: headerPairs(variant.headers) })
  }
}

/**
 * The same response, but not to be stored: a CDN may have purged its tags before it arrives. Immutable files have no tags and
 * stay as they are.
 */
function notStored(rendered: CachedResponse): CachedResponse {
  if (rendered.tags.length === 0) return rendered
  const changed = (raw: string[]) => [
    ...headerPairs(raw)
      .filter(([name]) => !cachingHeaders.has(name.toLowerCase()))
      .flat(),
    'Cache-Control',
    'no-store',
  ]
  const variant = <One extends EncodedResponse | undefined>(one: One) =>
    one && { ...one, headers: changed(one.headers), notModifiedHeaders: changed(one.notModifiedHeaders) }
  const { identity, gzip, br } = rendered
  return { ...rendered, identity: variant(identity), gzip: variant(gzip), br: variant(br), compressBrotli: undefined }
}

/** Headers with who may store a response, and its cache tags; see `createCdn`. */
const cachingHeaders = new Set(['cache-control', 'cache-tag', 'surrogate-key'])

const relevantQuery = new RegExp(`[?&](?:${Object.values(urlParameters).join('|')})=`)
/** A campaign's `?utm_source=x` leads to the same page. */
const cacheKey = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 || relevantQuery.test(url) ? url : url.slice(0, query)
}

/** Whether a request has a body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/**
 * Builds a cacheable response: gzip at once (a millisecond), brotli once a client wants it. Bodies under 512 bytes are not
 * compressed.
 * @param headers without `ETag`, `Content-Length`, `Content-Encoding`
 */
export async function buildCachedResponse(source: {
  body: Buffer
  headers: [name: string, value: string][]
  tags: string[]
  bypassCookies?: string[]
  /** Set for a page, whose views are counted. */
  page?: { path: string; locale: Locale }
  compressible: boolean
  maxAgeMs?: number | undefined
  /** The body in brotli, when it is precompressed. */
  brotli?: Buffer | undefined
}): Promise<CachedResponse> {
  const hash = createHash('sha256').update(source.body).digest('base64url').slice(0, 22)
  const variant = (body: Buffer, encoding: Encoding): EncodedResponse => {
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`
    const flat = source.headers.flat()
    const notModifiedHeaders = [
      'ETag',
      etag,
      ...flat.filter((_, index) => headersOf304.has((flat[index - (index % 2)] as string).toLowerCase())),
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
      notModifiedHeaders,
      body,
    }
  }
  const cached: CachedResponse = {
    tags: source.tags,
    bypassCookies: source.bypassCookies ?? [],
    maxAgeMs: source.maxAgeMs,
    viewCount: source.page && { ...source.page, views: 0 },
    identity: variant(source.body, 'identity'),
  }
  if (source.compressible && source.body.length >= 512) {
    cached.gzip = variant(await promisify(gzip)(source.body, { level: 7 }), 'gzip')
    if (source.brotli) cached.br = variant(source.brotli, 'br')
    else
      cached.compressBrotli = () =>
        brotliCompress(source.body, brotliOptions(source.body), (error, body) => {
          if (!error) cached.br = variant(body, 'br')
        })
  }
  return cached
}

/** Brotli's best: a page takes 60 ms and more, on another thread. */
const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})

/** A 304 repeats the caching headers, and omits those that describe the body. */
const headersOf304 = new Set(['cache-control', 'vary', 'content-location', 'expires'])

function chooseEncoding(cached: CachedResponse, accepted: string): EncodedResponse {
  const encoding = accepted === '' ? 'identity' : negotiateEncoding(accepted)
  if (encoding === 'br') {
    // This client gets gzip, the next ones Brotli.
    cached.compressBrotli?.()
    cached.compressBrotli = undefined
    return cached.br ?? cached.gzip ?? cached.identity
  }
  return (encoding === 'gzip' ? cached.gzip : undefined) ?? cached.identity
}

/** Brotli where `Accept-Encoding` allows it, else gzip; its preferences (`q`) are not weighed. */
export const negotiateEncoding = memoize(200, (accepted): Encoding => {
  const allowed = new Set(
    parseAccept(accepted)
      .filter((one) => one.q > 0)
      .map((one) => one.type.toLowerCase()),
  )
  return allowed.has('br') ? 'br' : allowed.has('gzip') || allowed.has('x-gzip') ? 'gzip' : 'identity'
})

/** The encoding that the client has cached, if any: every encoding has its own ETag and is equally fresh. */
function matchEtag(cached: CachedResponse, chosen: EncodedResponse, match: string): EncodedResponse | undefined {
  if (match === chosen.etag || match === '*') return chosen
  const tags = match.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return [chosen, cached.br, cached.gzip, cached.identity].find((one) => one !== undefined && tags.includes(one.etag))
}

const headerPairs = (raw: string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] as string, raw[index * 2 + 1] as string])
