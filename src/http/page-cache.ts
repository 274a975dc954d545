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
  /** The cache tags that `invalidate` evicts it by; none for an asset. */
  tags: string[]
  /** Names of cookies, each ending in `=`. A request with one of them may need a different response and bypasses the cache. */
  bypassCookies: string[]
  /** For a page, the view counter that a cache hit increments. */
  viewCount?: PageViewCount | undefined
  identity: EncodedResponse
  gzip?: EncodedResponse | undefined
  br?: EncodedResponse | undefined
  /** Starts Brotli compression, which sets `br`; undefined once it has started, and without compression. */
  compressBrotli?: (() => void) | undefined
  /** The response is outdated after this time; undefined: never. */
  maxAgeMs?: number | undefined
}

/** One encoding of a response. Headers are flat lists, as in `rawHeaders` of Node: name, value, name, value … */
interface EncodedResponse {
  etag: string
  headers: string[]
  /** Headers of the 304. */
  notModifiedHeaders: string[]
  body: Buffer
}

type Encoding = 'identity' | 'gzip' | 'br'

/** The name of Better Auth's session cookie; behind https it is prefixed with `__Secure-`. */
export const sessionCookieName = 'etalage.session_token'
/** How the session cookie begins in a `Cookie` header, apart from that prefix. */
export const sessionCookieStart = `${sessionCookieName}=`

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

  /** @param ownHost the host of this site, see `PageViewCounter` */
  constructor(ownHost?: string) {
    this.views = new PageViewCounter(ownHost)
  }

  /**
   * The cached response, or else the result of `render`, which concurrent requests share. The result is cached, unless
   * anything was invalidated during rendering: then it is `no-store`, for CDNs too.
   */
  async getOrRender(url: string, render: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const cached = this.#responses.get(url)
    if (cached) return cached
    const inProgress = this.#rendering.get(url)
    if (inProgress) return inProgress
    const rendering: Promise<CachedResponse> = render().then((rendered) => {
      if (this.#rendering.get(url) !== rendering) return asUncacheable(rendered)
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

  /** Evicts the responses with one of these tags; `site` and `all` evict everything except assets. */
  invalidate(tags: string[] | 'all'): void {
    this.#rendering.clear()
    const everything = tags === 'all' || tags.includes('site')
    for (const [url, cached] of this.#responses.entries()) {
      if (cached.tags.length === 0) continue
      if (everything || cached.tags.some((tag) => tags.includes(tag))) this.#responses.delete(url)
    }
  }

  /**
   * Responds to Node's request through Node's response, bypassing the middleware. False: nothing was sent, because of a
   * cache miss, a body, a bypass cookie or the method. Nearly every visit takes this path.
   */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean {
    const isHead = request.method === 'HEAD'
    if (!isHead && request.method !== 'GET') return false
    const cached = this.#responses.get(cacheKey(request.url as string))
    if (cached === undefined) return false

    const { headers } = request
    if (hasBody(headers)) return false
    const { cookie } = headers
    if (cookie !== undefined && cached.bypassCookies.some((name) => cookie.includes(name))) return false

    if (cached.viewCount && !isHead) {
      this.views.count(cached.viewCount, {
        agent: headers['user-agent'],
        purpose: headers['sec-purpose'] ?? headers.purpose,
        referrer: headers.referer,
        host: headers.host,
        url: request.url as string,
      })
    }
    const encoded = chooseEncoding(cached, headers['accept-encoding'] ?? '')
    const ifNoneMatch = headers['if-none-match']
    const notModified = ifNoneMatch ? matchEtag(cached, encoded, ifNoneMatch) : undefined
    if (notModified) {
      this.hits[304]++
      response.writeHead(304, notModified.notModifiedHeaders)
      response.end()
      return true
    }
    this.hits[200]++
    response.writeHead(200, encoded.headers)
    if (isHead) response.end()
    else response.end(encoded.body)
    return true
  }

  /**
   * The cached response for the URL of a request, ignoring its cookies, for use while the database is unavailable;
   * undefined when there is none. No CDN may store it, because it may be outdated.
   */
  respondFromCache(request: Request): Response | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const { pathname, search } = new URL(request.url)
    const cached = this.#responses.get(cacheKey(pathname + search))
    return cached && this.respond(request, asUncacheable(cached))
  }

  /** The response to a request that passed the middleware: `cached`, encoded as the client accepts, or a 304. */
  respond(request: Request, cached: CachedResponse): Response {
    const encoded = chooseEncoding(cached, request.headers.get('accept-encoding') ?? '')
    const ifNoneMatch = request.headers.get('if-none-match')
    const notModified = ifNoneMatch ? matchEtag(cached, encoded, ifNoneMatch) : undefined
    if (notModified) return new Response(null, { status: 304, headers: headerPairs(notModified.notModifiedHeaders) })
    const body = request.method === 'HEAD' ? null : new Uint8Array(encoded.body)
    return new Response(body, { headers: headerPairs(encoded.headers) })
  }
}

/**
 * A copy of a response with `Cache-Control: no-store`: a CDN may have purged its tags before it arrives. Immutable
 * files have no tags and are returned as they are.
 */
function asUncacheable(rendered: CachedResponse): CachedResponse {
  if (rendered.tags.length === 0) return rendered
  const withNoStore = (flatHeaders: string[]) => [
    ...headerPairs(flatHeaders)
      .filter(([name]) => !cachingHeaders.has(name.toLowerCase()))
      .flat(),
    'Cache-Control',
    'no-store',
  ]
  const copy = <Encoded extends EncodedResponse | undefined>(encoded: Encoded) =>
    encoded && {
      ...encoded,
      headers: withNoStore(encoded.headers),
      notModifiedHeaders: withNoStore(encoded.notModifiedHeaders),
    }
  const { identity, gzip, br } = rendered
  return { ...rendered, identity: copy(identity), gzip: copy(gzip), br: copy(br), compressBrotli: undefined }
}

/** The headers that say who may store a response, and its cache tags; see `createCdn`. */
const cachingHeaders = new Set(['cache-control', 'cache-tag', 'surrogate-key'])

/** A query parameter that changes the page. */
const relevantQuery = new RegExp(`[?&](?:${Object.values(urlParameters).join('|')})=`)
/** The path, and the query where it changes the page: that of a campaign, such as `?utm_source=x`, does not. */
const cacheKey = (url: string): string => {
  const queryStart = url.indexOf('?')
  return queryStart < 0 || relevantQuery.test(url) ? url : url.slice(0, queryStart)
}

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/**
 * Builds a cacheable response: it is compressed with gzip at once (a millisecond), and with Brotli once a client
 * accepts it. Bodies under 512 bytes are not compressed.
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
  /** The body in Brotli, when it is precompressed. */
  brotli?: Buffer | undefined
}): Promise<CachedResponse> {
  const hash = createHash('sha256').update(source.body).digest('base64url').slice(0, 22)
  const encodedResponse = (body: Buffer, encoding: Encoding): EncodedResponse => {
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`
    const flatHeaders = source.headers.flat()
    const notModifiedHeaders = [
      'ETag',
      etag,
      ...source.headers.filter(([name]) => headersOf304.has(name.toLowerCase())).flat(),
    ]
    return {
      etag,
      headers: [
        ...flatHeaders,
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
    identity: encodedResponse(source.body, 'identity'),
  }
  if (source.compressible && source.body.length >= 512) {
    cached.gzip = encodedResponse(await promisify(gzip)(source.body, { level: 7 }), 'gzip')
    if (source.brotli) cached.br = encodedResponse(source.brotli, 'br')
    else
      cached.compressBrotli = () =>
        brotliCompress(source.body, brotliOptions(source.body), (error, body) => {
          if (!error) cached.br = encodedResponse(body, 'br')
        })
  }
  return cached
}

/** Brotli's best quality: a page takes 60 ms and more, on another thread. */
const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})

/** A 304 repeats the caching headers, and omits the headers that describe the body. */
const headersOf304 = new Set(['cache-control', 'vary', 'content-location', 'expires'])

function chooseEncoding(cached: CachedResponse, accepted: string): EncodedResponse {
  const encoding = accepted === '' ? 'identity' : negotiateEncoding(accepted)
  if (encoding === 'br') {
    // The first request starts Brotli and gets gzip; later ones get Brotli once it is ready.
    cached.compressBrotli?.()
    cached.compressBrotli = undefined
    return cached.br ?? cached.gzip ?? cached.identity
  }
  return (encoding === 'gzip' ? cached.gzip : undefined) ?? cached.identity
}

/** The encoding for an `Accept-Encoding` header: Brotli if allowed, else gzip. Of the weights (`q`), only 0 counts. */
export const negotiateEncoding = memoize(200, (accepted): Encoding => {
  const allowed = new Set(
    parseAccept(accepted)
      .filter(({ q }) => q > 0)
      .map(({ type }) => type.toLowerCase()),
  )
  if (allowed.has('br')) return 'br'
  return allowed.has('gzip') || allowed.has('x-gzip') ? 'gzip' : 'identity'
})

/** The encoding whose ETag the client has: every encoding has its own, and is equally fresh. Undefined: none. */
function matchEtag(cached: CachedResponse, chosen: EncodedResponse, ifNoneMatch: string): EncodedResponse | undefined {
  if (ifNoneMatch === chosen.etag || ifNoneMatch === '*') return chosen
  const etags = ifNoneMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''))
  return [chosen, cached.br, cached.gzip, cached.identity].find((encoded) => encoded && etags.includes(encoded.etag))
}

const headerPairs = (flat: string[]): [name: string, value: string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2] as string, flat[index * 2 + 1] as string])
