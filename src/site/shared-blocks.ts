import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { renderToStaticMarkup } from 'react-dom/server'
import type { RenderContext, SharedBlocks } from '../blocks/define-block.ts'
import { publicFileIdsIn } from '../contract/file-urls.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'

/** The size of the cache for one configuration, in characters. */
const cachedChars = 4_000_000

/** For a block whose HTML is of one request only. */
const notShared = Symbol('not shared')

/** A configuration that was replaced is freed with its HTML. */
const caches = new WeakMap<SiteConfig, LRUCache<string, string | typeof notShared>>()

/**
 * Renders blocks once for all requests. The key of a block's HTML is all that it is rendered from: nothing has to be
 * invalidated. Only whether somebody is signed in is part of the key, and not who: a block that reads the name is
 * rendered for each request.
 * @param nameReads counts how often the name of who is signed in was read from the context
 */
export function shareBlocks(input: { site: SiteConfig; now: Date; nameReads: () => number }): SharedBlocks {
  const { site, nameReads } = input
  const cache =
    caches.get(site) ??
    new LRUCache<string, string | typeof notShared>({
      maxSize: cachedChars,
      sizeCalculation: (html, key) => key.length + (html === notShared ? 1 : html.length + 1),
    })
  caches.set(site, cache)
  // The year and the days of appointments change at a full hour.
  const hour = Math.floor(input.now.getTime() / 3_600_000)
  // Nobody can write it into a text, because it is never sent.
  const marker = randomUUID()
  const found: string[] = []
  const mark = (html: string) => `${marker}${found.push(html) - 1};`
  /** Few objects for many blocks: one for the content of the page, and one for each area around it. */
  const contextKeys = new WeakMap<RenderContext, string>()
  const contextKeyOf = (context: RenderContext) => {
    const key = contextKeys.get(context) ?? digestOf(`${hour} ${describeContext(context)}`)
    contextKeys.set(context, key)
    return key
  }
  return {
    render(block, context, position, view) {
      const key = `${position} ${contextKeyOf(context)} ${keyOf(block, context)}`
      const known = cache.get(key)
      if (known === notShared) return view(context)
      if (known !== undefined) return mark(known)
      const before = nameReads()
      const html = renderToStaticMarkup(view({ ...context, shared: undefined }))
      // React moves the preloading of an image to the head of the document.
      const isShared = nameReads() === before && !html.startsWith('<link')
      cache.set(key, isShared ? html : notShared)
      return isShared ? mark(html) : view(context)
    },
    fill(html) {
      const [start = '', ...parts] = html.split(marker)
      const filled = parts.map((part) => {
        const end = part.indexOf(';')
        return (found[Number(part.slice(0, end))] ?? '') + part.slice(end + 1)
      })
      return [start, ...filled].join('')
    },
  }
}

/**
 * Identifies what all blocks with this context are rendered from. It does not cover the hour, which the caller adds, or the name
 * of who is signed in: blocks that read it are not shared.
 */
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

/** Identifies the block and its files. */
function keyOf(block: StoredBlock, { images, files }: RenderContext): string {
  const { digest, fileIds } = digestOfBlock(block)
  if (fileIds.length === 0) return digest
  return `${digest} ${digestOf(JSON.stringify(fileIds.map((id) => [images.get(id), files.get(id)])))}`
}

/** By block; those of a published text and of the configuration are the same objects at each request. */
const digests = new WeakMap<StoredBlock, { digest: string; fileIds: string[] }>()

function digestOfBlock(block: StoredBlock): { digest: string; fileIds: string[] } {
  const known = digests.get(block)
  if (known) return known
  const json = JSON.stringify(block)
  const made = { digest: digestOf(json), fileIds: publicFileIdsIn(json) }
  digests.set(block, made)
  return made
}

/** By map; all blocks of a request have the same one, of up to hundreds of links. */
const pathDigests = new WeakMap<ReadonlyMap<string, string>, string>()

function digestOfPaths(linkedPaths: ReadonlyMap<string, string>): string {
  const digest = pathDigests.get(linkedPaths) ?? digestOf(JSON.stringify([...linkedPaths]))
  pathDigests.set(linkedPaths, digest)
  return digest
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url')

const ids = new WeakMap<object, number>()
let lastId = 0

/** Objects that are shared between requests. */
function idOf(shared: object): number {
  const id = ids.get(shared) ?? ++lastId
  ids.set(shared, id)
  return id
}
