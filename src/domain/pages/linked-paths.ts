import { linksOf, linksOfValues } from '../../blocks/block-links.ts'
import type { ShownEntryList } from '../../blocks/entry-list.tsx'
import { withContents } from '../../blocks/section.tsx'
import { collectionAt, overviewPath } from '../../contract/collections.ts'
import { defaultLocale, type Locale, localized, localizedPath, rootLocaleOf } from '../../contract/locales.ts'
import type { MenuItem } from '../../contract/menus.ts'
import type { Context } from '../../platform/context.ts'
import type { LivePage } from './find-live-page.ts'
import { listLiveSlugsAt } from './live-page.queries.ts'

/** Limits the number of query parameters; a page rarely has more than a few hundred links. */
const maxLinks = 500

/**
 * The current paths for links that are written with paths in the main language, older ones in Dutch, on pages in another
 * language at the root. There such a path would redirect to the page in that language, so the link gets the path of the
 * translation, or else of the original. Below a prefix this is not needed: `/de/winkel` leads to the translation.
 * @returns `linkedPaths`: the encoded path by the path as written; `linkTags`: the cache tags of these pages
 * @param page omitted for built-in pages, which only have the menu, the header and the footer
 */
export async function findLinkedPaths(
  { db, site }: Pick<Context, 'db' | 'site'>,
  locale: Locale,
  { body, collection }: Pick<LivePage, 'body' | 'collection'> = { body: [] },
): Promise<{ linkedPaths?: ReadonlyMap<string, string>; linkTags?: readonly string[] }> {
  if (locale !== rootLocaleOf(site) || locale === defaultLocale) return {}
  const { navbar, footer } = site.branding
  const areas = [...Object.values(navbar), ...Object.values(footer)].flatMap((area) => localized(area, locale).value)
  const blocks = withContents(body)
  const entries = [
    ...(collection?.kind === 'overview' ? collection.entries : []),
    ...blocks.flatMap((block) => (block as ShownEntryList).entries ?? []),
  ]
  const values = [
    ...(collection?.kind === 'entry' ? collection.values : []),
    ...entries.flatMap((entry) => entry.values),
  ]
  const urls = [
    ...urlsOfMenu(site.menus ? localized(site.menus.main, locale).value : []),
    ...linksOf(areas),
    ...linksOf(blocks),
    ...values.flatMap(({ field, value }) => linksOfValues([field], { [field.id]: value })),
  ]
  const slugByPath = new Map<string, string>()
  for (const url of [...new Set(urls)].filter((link) => link.startsWith('/')).slice(0, maxLinks)) {
    const [path = ''] = url.split(/[?#]/, 1)
    const slug = decodePath(path)?.slice(1)
    if (slug) slugByPath.set(path, slug)
  }
  const rows = await listLiveSlugsAt(db, [...new Set(slugByPath.values())], { locale, fallback: defaultLocale })
  const linkedPaths = new Map<string, string>()
  for (const [path, slug] of slugByPath) {
    const candidates = rows.filter((row) => row.slug === slug)
    const page = candidates.find((row) => row.locale === locale) ?? candidates[0]
    const overview = collectionAt(site, slug, locale) ?? collectionAt(site, slug, defaultLocale)
    if (!page && overview) linkedPaths.set(path, overviewPath(site, overview, locale))
    if (!page) continue
    const target = page.slugInLocale === null ? { slug, locale: page.locale } : { slug: page.slugInLocale, locale }
    linkedPaths.set(path, encodeURI(localizedPath(`/${target.slug}`, target.locale, site)))
  }
  return { linkedPaths, linkTags: [...new Set(rows.map(({ pageId }) => `page#${pageId}`))] }
}

const urlsOfMenu = (items: readonly MenuItem[]): string[] =>
  items.flatMap(({ url, submenu }) => [...(url === undefined ? [] : [url]), ...urlsOfMenu(submenu)])

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return undefined
  }
}
