import { setImmediate as nextTurn } from 'node:timers/promises'
import { linksOf, linksOfValues } from '../../blocks/block-links.ts'
import { resolveLink } from '../../blocks/render-text.tsx'
import { type EntryValues, findCollection } from '../../contract/collections.ts'
import type { LinkHolder } from '../../contract/links.ts'
import type { Locale } from '../../contract/locales.ts'
import { type Placeholders, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { findCurrentConfiguration } from '../configuration/apply-configuration.ts'
import { parseValidBlocks } from '../drafts/valid-blocks.ts'
import { normalizePath, splitTarget } from '../redirects/redirect-target.ts'
import { type DraftKey, listNextDrafts, listNextSectionTexts, listNextTexts, type SectionKey } from './link.queries.ts'

/** A link to this site. */
interface InternalTarget {
  url: string
  /** The decoded path with the language prefix; undefined when the URL has no valid path. */
  path: string | undefined
}
type Target = InternalTarget | { external: string }

/** The number of resolved URLs that are cached during a scan. */
const maxCachedTargets = 20_000

interface TextLinks {
  /** Null: a draft of another user, which the actor may not see. */
  holder: LinkHolder | null
  /** The page that the text belongs to. */
  pageId?: number
  internal: InternalTarget[]
  /** The URLs of other sites, without fragment. */
  external: string[]
}

/**
 * Yields the links of every text: of the configuration, saved sections, drafts and pages, in this order. Texts are read
 * in small batches as the caller iterates, so that visitors are not delayed.
 */
export async function* scanLinks(ctx: Context): AsyncGenerator<TextLinks> {
  const { db, actor } = ctx
  const { site } = await findCurrentConfiguration(db, ctx.site, ctx.publicDir)
  const targetsOf = createLinkResolver({ ...ctx, site })
  const textLinks = (holder: LinkHolder | null, locale: Locale, urls: readonly string[], pageId?: number) => ({
    holder,
    ...targetsOf(urls, locale),
    ...(pageId !== undefined && { pageId }),
  })
  const valueLinks = (collection: string | null, values: EntryValues = {}) =>
    linksOfValues(findCollection(site, collection)?.fields ?? [], values)

  for (const { name, locale, urls } of configurationLinks(site)) {
    yield textLinks({ type: 'configuration', locale, name }, locale, urls)
  }
  let section: SectionKey | undefined
  for (;;) {
    const sections = await listNextSectionTexts(db, section)
    if (sections.length === 0) break
    for (const { id, name, locale, body } of sections) {
      yield textLinks({ type: 'section', id, name, locale }, locale, linksOf(body))
    }
    section = sections.at(-1)
    await nextTurn()
  }
  let draft: DraftKey | undefined
  for (;;) {
    const drafts = await listNextDrafts(db, draft)
    if (drafts.length === 0) break
    for (const { pageId, locale, userId, title, collection, content } of drafts) {
      const holder =
        userId === actor?.id ? { type: 'page' as const, id: pageId, locale, title, text: 'draft' as const } : null
      const urls = [...linksOf(parseValidBlocks(content.body)), ...valueLinks(collection, content.fields)]
      yield textLinks(holder, locale, urls, pageId)
      await nextTurn()
    }
    draft = drafts.at(-1)
  }
  let batch: Awaited<ReturnType<typeof listNextTexts>>
  for (;;) {
    batch = await listNextTexts(db, batch?.last)
    if (!batch) return
    for (const { pageId, locale, title, text, collection, content } of batch.texts) {
      const urls = [...linksOf(content.body), ...valueLinks(collection, content.fields)]
      yield textLinks({ type: 'page', id: pageId, locale, title, text }, locale, urls, pageId)
    }
    await nextTurn()
  }
}

/** A function that resolves URLs; links to anchors of the same page and to email addresses are left out. */
function createLinkResolver({ site, origin, now }: Pick<Context, 'site' | 'origin' | 'now'>) {
  const origins = new Set([origin, URL.parse(site.url)?.origin])
  const filled: Partial<Record<Locale, Placeholders>> = {}
  // Most links of a site are to the same pages.
  const cache = new Map<string, Target | null>()
  return (urls: readonly string[], locale: Locale): Pick<TextLinks, 'internal' | 'external'> => {
    const internal: InternalTarget[] = []
    const external: string[] = []
    for (const url of urls) {
      const key = `${locale} ${url}`
      let target = cache.get(key)
      if (target === undefined) {
        if (cache.size >= maxCachedTargets) cache.clear()
        target = resolveTarget(url, locale)
        cache.set(key, target)
      }
      if (target === null) continue
      if ('external' in target) external.push(target.external)
      else internal.push(target)
    }
    return { internal, external }
  }
  function resolveTarget(url: string, locale: Locale): Target | null {
    filled[locale] ??= placeholdersOf(site, locale, now())
    const target = resolveLink(url, { locale, placeholders: filled[locale], site })
    if (target?.startsWith('/')) return { url: target, path: normalizePath(splitTarget(target).path) }
    const parsed = target !== undefined && /^https?:/i.test(target) ? URL.parse(target) : null
    if (!parsed) return null
    if (origins.has(parsed.origin)) return { url: parsed.href, path: normalizePath(parsed.pathname) }
    return { external: withoutFragment(parsed) }
  }
}

function withoutFragment(url: URL): string {
  url.hash = ''
  return url.href
}

/** Yields the links of the header, the footer and the menus. Items that refer to a page by id cannot break. */
function* configurationLinks({
  branding,
  menus,
  locales,
}: Pick<SiteConfig, 'branding' | 'menus' | 'locales'>): Generator<{ name: string; locale: Locale; urls: string[] }> {
  for (const [bar, areas] of Object.entries(branding)) {
    for (const [area, texts] of Object.entries(areas)) {
      for (const locale of locales) {
        const body = (texts as Partial<Record<Locale, StoredBlock[]>>)[locale]
        if (body) yield { name: `${bar}.${area}`, locale, urls: linksOf(body) }
      }
    }
  }
  for (const locale of locales) {
    const tree = menus?.main[locale]
    if (tree) yield { name: 'menus', locale, urls: urlsOfMenu(tree) }
  }
}

type MenuTree = NonNullable<NonNullable<SiteConfig['menus']>['main'][Locale]>

const urlsOfMenu = (items: MenuTree): string[] =>
  items.flatMap(({ page, url, submenu }) => [
    ...(page === undefined && url !== undefined ? [url] : []),
    ...urlsOfMenu(submenu),
  ])
