import { createHash } from 'node:crypto'
import { unescape as percentDecoded } from 'node:querystring'
import type { CdnSettings } from '../config/settings.ts'

/** A content delivery network in front of the site: it stores pages by their cache tags until they are purged. */
export interface Cdn {
  /** The response header with the cache tags of a page or another resource. */
  tagHeader(tags: readonly string[]): [name: string, value: string]
  /** The response header with the cache tag of an upload. */
  fileTagHeader(tag: string): [name: string, value: string]
  /**
   * Removes every stored response with one of the tags; `all` stands for every page and upload.
   * @throws when the CDN does not accept it
   */
  purge(tags: readonly string[] | 'all', signal: AbortSignal): Promise<void>
}

/** How long one request to the CDN may take. */
const timeoutMs = 10_000

/** The tag of every response that a change of the configuration makes outdated; see `invalidate`. */
const siteTag = 'site'
/** The tag of every upload. */
const filesTag = 'file'

/** The APIs of the providers, by their documentation; tests replace them by their own server. */
const providerOrigins = { cloudflare: 'https://api.cloudflare.com', fastly: 'https://api.fastly.com' }

interface PurgeRequest {
  url: string
  headers: Record<string, string>
  body: (tags: string[]) => object
  /** The maximum number of tags in one request. */
  maxTags: number
}

/** @param origins the origins of the providers' APIs */
export function createCdn(settings: CdnSettings, origins = providerOrigins): Cdn {
  const separator = settings.provider === 'fastly' ? ' ' : ','
  const name = settings.provider === 'fastly' ? 'Surrogate-Key' : 'Cache-Tag'
  const header = (tags: string[]): [string, string] => [name, [...new Set(tags)].map(shortTag).join(separator)]
  return {
    tagHeader: (tags) => header([...tags, siteTag]),
    fileTagHeader: (tag) => header([tag, filesTag]),

    async purge(tags, signal) {
      const request = purgeRequest(settings, origins)
      const shortTags = (tags === 'all' ? [siteTag, filesTag] : [...tags]).map(shortTag)
      for (let start = 0; start < shortTags.length; start += request.maxTags) {
        const response = await fetch(request.url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...request.headers },
          body: JSON.stringify(request.body(shortTags.slice(start, start + request.maxTags))),
          redirect: 'error',
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        await response.body?.cancel()
        if (!response.ok) throw new Error(`the CDN answered ${response.status} to a purge`)
      }
    },
  }
}

function purgeRequest(settings: CdnSettings, origins: typeof providerOrigins): PurgeRequest {
  const { provider, target, token = '' } = settings
  if (provider === 'cloudflare')
    return {
      url: `${origins.cloudflare}/client/v4/zones/${target}/purge_cache`,
      headers: { Authorization: `Bearer ${token}` },
      body: (tags) => ({ tags }),
      maxTags: 30,
    }
  if (provider === 'fastly')
    return {
      url: `${origins.fastly}/service/${target}/purge`,
      headers: { 'Fastly-Key': token },
      body: (tags) => ({ surrogate_keys: tags }),
      maxTags: 256,
    }
  const url = new URL(target)
  const credentials = [url.username, url.password].map(percentDecoded).join(':')
  // `fetch` refuses a URL with a user name and a password.
  url.username = ''
  url.password = ''
  const bearer = token && `Bearer ${token}`
  // `:` joins an empty user name and an empty password.
  const authorization = credentials === ':' ? bearer : `Basic ${Buffer.from(credentials).toString('base64')}`
  return {
    url: url.href,
    headers: authorization ? { Authorization: authorization } : {},
    body: (tags) => ({ tags }),
    maxTags: 1_000,
  }
}

/** A hash of a tag: tags contain paths in any script, while a header is ASCII, and some CDNs ignore case. */
const shortTag = (tag: string) => createHash('sha256').update(tag).digest('hex').slice(0, 16)

/**
 * The caching headers of a public page. A browser revalidates it at each visit. A CDN caches it for ten minutes at
 * most, even if a purge is lost, and serves it stale while the site does not answer.
 */
export const pageCachingHeaders = (cdn: Cdn | undefined, tags: readonly string[]): [name: string, value: string][] =>
  cdn
    ? [
        ['Cache-Control', 'public, max-age=0, s-maxage=600, stale-while-revalidate=60, stale-if-error=86400'],
        cdn.tagHeader(tags),
      ]
    : [['Cache-Control', 'public, max-age=0, must-revalidate']]
