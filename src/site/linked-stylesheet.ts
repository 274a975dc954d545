import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Stylesheet, stylesheets } from '../blocks/define-block.ts'
import { buildCachedResponse, type CachedResponse } from '../http/page-cache.ts'
import { assetSecurityHeaders } from '../http/security-headers.ts'
import { joinStylesheets } from './site-style.ts'

/**
 * The URL of a stylesheet with these parts. It names them by one bit each, and its signature covers their content: so it
 * is immutable, every instance can serve it, and nobody can make up others.
 */
export function linkedStylesheetUrl(secret: string, names: readonly Stylesheet[]): string {
  const bits = names.reduce((sum, name) => sum + 2 ** stylesheets.indexOf(name), 0).toString(36)
  const known = urls.get(`${bits} ${secret}`)
  if (known !== undefined) return known
  const signed = createHmac('sha256', secret).update(`styles:${bits}:${joinStylesheets(names)}`)
  const signature = signed.digest('base64url').slice(0, 16)
  const url = `/assets/blocks-${bits}-${signature}.css`
  urls.set(`${bits} ${secret}`, url)
  return url
}

/** By the parts and the secret: each page has one, and signing some 20 kB of styles costs a twelfth of rendering it. */
const urls = new LRUCache<string, string>({ max: 500 })

/** The parts of the stylesheet at a URL; undefined where there is none. */
export function linkedStylesheetAt(secret: string, url: string): Stylesheet[] | undefined {
  const [, bits] = /^\/assets\/blocks-([0-9a-z]{1,10})-[\w-]{16}\.css$/.exec(url) ?? []
  if (bits === undefined) return undefined
  const set = BigInt(Number.parseInt(bits, 36))
  const names = stylesheets.filter((_, index) => (set >> BigInt(index)) & 1n)
  return linkedStylesheetUrl(secret, names) === url ? names : undefined
}

export const linkedStylesheet = (names: readonly Stylesheet[]): Promise<CachedResponse> =>
  buildCachedResponse({
    body: Buffer.from(joinStylesheets(names)),
    headers: [
      ['Content-Type', 'text/css; charset=utf-8'],
      ['Cache-Control', 'public, max-age=31536000, immutable'],
      ['Vary', 'Accept-Encoding'],
      ...assetSecurityHeaders,
    ],
    tags: [],
    compressible: true,
  })
