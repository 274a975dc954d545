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
import { validBlocks } from '../drafts/preview-link.ts'
import { pathIn, splitTarget } from '../redirects/redirect-target.ts'
import { listNextDrafts, listNextSectionTexts, listNextTexts } from './link.queries.ts'

/** A target on this site, as a path with the language prefix; undefined: the URL is no path. */
interface OwnTarget {
  url: string
  path: string | undefined
}
type Target = OwnTarget | { foreign: string }

/** Resolved URLs that are remembered during a scan. */
const knownMax = 20_000

interface TextLinks {
  /** Null: a draft of another user, which the actor may not see. */
  holder: LinkHolder | null
  /** The page that the text belongs to. */
  pageId?: number
  own: OwnTarget[]
  /** The targets on other sites, without fragment. */
  foreign: string[]
}

/**
 * The links of every text: of pages, of drafts, of saved sections and of the configuration. The texts are read when they
 * are asked for, a few at a time, so that visitors are not delayed.
 */
export async function* scanLinks(ctx: Context): AsyncGenerator<TextLinks> {
  const { db, actor } = ctx
  const { site } = await findCurrentConfiguration(db, ctx.site, ctx.publicDir)
  const targetsOf = targetReader({ ...ctx, site })
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
  let section: Awaited<ReturnType<typeof listNextSectionTexts>>[number] | undefined
  for (;;) {
    const sections = await listNextSectionTexts(db, section)
    if (sections.length === 0) break
    for (const { id, name, locale, body } of sections) {
      yield textLinks({ type: 'section', id, name, locale }, locale, linksOf(body))
    }
    section = sections.at(-1)
    await nextTurn()
  }
  let draft: Awaited<ReturnType<typeof listNextDrafts>>[number] | undefined
  for (;;) {
    const drafts = await listNextDrafts(db, draft)
    if (drafts.length === 0) break
    for (const { pageId, locale, userId, title, collection, content } of drafts) {
      const holder =
        userId === actor?.id ? { type: 'page' as const, id: pageId, locale, title, text: 'draft' as const } : null
      const urls = [...linksOf(validBlocks(content.body)), ...valueLinks(collection, content.fields)]
      yield textLinks(holder, locale, urls, pageId)
      await nextTurn()
    }
    draft = drafts.at(-1)
  }
  let next: Awaited<ReturnType<typeof listNextTexts>>
  for (;;) {
    next = await listNextTexts(db, next?.last)
    if (!next) return
    for (const { pageId, locale, title, text, collection, content } of next.texts) {
      const urls = [...linksOf(content.body), ...valueLinks(collection, content.fields)]
      yield textLinks({ type: 'page', id: pageId, locale, title, text }, locale, urls, pageId)
    }
    await nextTurn()
  }
}

/** The targets of URLs; links to anchors of the same page and to emails are left out. */
function targetReader({ site, origin, now }: Pick<Context, 'site' | 'origin' | 'now'>) {
  const origins = new Set([origin, URL.parse(site.url)?.origin])
  const filled: Partial<Record<Locale, Placeholders>> = {}
  // Most links of a site are to the same pages.
  const known = new Map<string, Target | null>()
  return (urls: readonly string[], locale: Locale): Pick<TextLinks, 'own' | 'foreign'> => {
    const own: OwnTarget[] = []
    const foreign: string[] = []
    for (const url of urls) {
      const key = `${locale} ${url}`
      let target = known.get(key)
      if (target === undefined) {
        if (known.size >= knownMax) known.clear()
        target = targetOf(url, locale)
        known.set(key, target)
      }
      if (target === null) continue
      if ('foreign' in target) foreign.push(target.foreign)
      else own.push(target)
    }
    return { own, foreign }
  }
  function targetOf(url: string, locale: Locale): Target | null {
    filled[locale] ??= placeholdersOf(site, locale, now())
    const target = resolveLink(url, { locale, placeholders: filled[locale], site })
    if (target?.startsWith('/')) return { url: target, path: pathIn(splitTarget(target).path) }
    const parsed = target !== undefined && /^https?:/i.test(target) ? URL.parse(target) : null
    if (!parsed) return null
    if (origins.has(parsed.origin)) return { url: parsed.href, path: pathIn(parsed.pathname) }
    return { foreign: withoutFragment(parsed) }
  }
}

function withoutFragment(url: URL): string {
  url.hash = ''
  return url.href
}

/** The links of the header, the footer and the menus. Items that refer to a page by its id are skipped: they follow the page. */
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

type Tree = NonNullable<SiteConfig['menus']>['main'][Locale]

const urlsOfMenu = (items: NonNullable<Tree>): string[] =>
  items.flatMap(({ page, url, submenu }) => [
    ...(page === undefined && url !== undefined ? [url] : []),
    ...urlsOfMenu(submenu),
  ])
