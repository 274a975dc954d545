import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { renderToStaticMarkup } from 'react-dom/server'
import type { BlockCache, RenderContext } from '../blocks/define-block.ts'
import { publicFileIdsIn } from '../contract/file-urls.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'

/** The size of the cache for one configuration, in characters. */
const cachedChars = 4_000_000

/** Cached in place of the HTML of a block that must be rendered for each request. */
const uncacheable = Symbol('uncacheable')

/** By configuration, so that the cache is freed when the configuration is replaced. */
const caches = new WeakMap<SiteConfig, LRUCache<string, string | typeof uncacheable>>()

/**
 * Creates the block cache of one page, on top of the HTML that all pages of the configuration share. The key covers all
 * input of a block, so nothing has to be invalidated. Of the user it only covers whether one is signed in: a block that
 * reads the name is rendered for each request.
 * @param nameReads returns how often the user's name was read from the context
 */
export function createBlockCache(input: { site: SiteConfig; now: Date; nameReads: () => number }): BlockCache {
  const { site, nameReads } = input
  const cache =
    caches.get(site) ??
    new LRUCache<string, string | typeof uncacheable>({
      maxSize: cachedChars,
      sizeCalculation: (html, key) => key.length + (html === uncacheable ? 1 : html.length + 1),
    })
  caches.set(site, cache)
  // The year and the days of appointments change at a full hour.
  const hour = Math.floor(input.now.getTime() / 3_600_000)
  // Random for each page and never sent, so that no text can contain it.
  const markerId = randomUUID()
  const cachedHtml: string[] = []
  /** Each marker is the id, an index in `cachedHtml` and a semicolon. */
  const markerFor = (html: string) => `${markerId}${cachedHtml.push(html) - 1};`
  /** A page has few contexts for many blocks: one for its content, and one for each area of its header and footer. */
  const contextKeys = new WeakMap<RenderContext, string>()
  const contextKeyOf = (context: RenderContext) => {
    const key = contextKeys.get(context) ?? digestOf(`${hour} ${describeContext(context)}`)
    contextKeys.set(context, key)
    return key
  }
  return {
    render(block, context, position, view) {
      const key = `${position} ${contextKeyOf(context)} ${keyOf(block, context)}`
      const cached = cache.get(key)
      if (cached === uncacheable) return view(context)
      if (cached !== undefined) return markerFor(cached)
      const nameReadsBefore = nameReads()
      const html = renderToStaticMarkup(view({ ...context, blockCache: undefined }))
      // React renders the preload link of an image first; in a document it belongs in the head.
      const isCacheable = nameReads() === nameReadsBefore && !html.startsWith('<link')
      cache.set(key, isCacheable ? html : uncacheable)
      return isCacheable ? markerFor(html) : view(context)
    },
    replaceMarkers(html) {
      const [start = '', ...rest] = html.split(markerId)
      const replaced = rest.map((indexAndHtml) => {
        const end = indexAndHtml.indexOf(';')
        return (cachedHtml[Number(indexAndHtml.slice(0, end))] ?? '') + indexAndHtml.slice(end + 1)
      })
      return [start, ...replaced].join('')
    },
  }
}

/** The part of the cache key for the context, without the hour and the user's name, which no cached block contains. */
function describeContext(context: RenderContext): string {
  const { locale, contentLocale, path, viewer, logoUrl, t, menuPages, linkedPaths } = context
  return JSON.stringify([
    locale,
    contentLocale,
    path,
    viewer !== undefined,
    logoUrl,
    idOf(t),
    idOf(menuPages),
    linkedPaths && digestOfPaths(linkedPaths),
  ])
}

/** The part of the cache key for a block and the files that it refers to. */
function keyOf(block: StoredBlock, { images, files }: RenderContext): string {
  const { digest, fileIds } = digestOfBlock(block)
  if (fileIds.length === 0) return digest
  return `${digest} ${digestOf(JSON.stringify(fileIds.map((id) => [images.get(id), files.get(id)])))}`
}

/** By block object: those of a published text and of the configuration are the same objects at each request. */
const digests = new WeakMap<StoredBlock, { digest: string; fileIds: string[] }>()

function digestOfBlock(block: StoredBlock): { digest: string; fileIds: string[] } {
  const cached = digests.get(block)
  if (cached) return cached
  const json = JSON.stringify(block)
  const computed = { digest: digestOf(json), fileIds: publicFileIdsIn(json) }
  digests.set(block, computed)
  return computed
}

/** By map object: all blocks of a request have the same one, of up to hundreds of links. */
const pathDigests = new WeakMap<ReadonlyMap<string, string>, string>()

function digestOfPaths(linkedPaths: ReadonlyMap<string, string>): string {
  const digest = pathDigests.get(linkedPaths) ?? digestOf(JSON.stringify([...linkedPaths]))
  pathDigests.set(linkedPaths, digest)
  return digest
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url')

const ids = new WeakMap<object, number>()
let lastId = 0

/** Numbers the objects that all requests share, such as a translator, for the cache key. */
function idOf(object: object): number {
  const id = ids.get(object) ?? ++lastId
  ids.set(object, id)
  return id
}
