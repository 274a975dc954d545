import { deepEqual } from '../../contract/deep-equal.ts'
import { defaultLocale, type Locale, mainLocaleOf } from '../../contract/locales.ts'
import { type MenuItem, mapMenuTrees, removeMenuItems } from '../../contract/menus.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { livePath, type PageRow, textsOf } from './page.queries.ts'

type Site = Pick<SiteConfig, 'branding' | 'menus' | 'locales' | 'rootLocale'>

/** The titles of the links to a page by its address, in the header, the footer and the menu. */
export function linkTitles(site: Site, page: PageRow): string[] {
  const leadsHere = isLinkTo(page, site)
  const found = [...linksIn([site.branding, site.menus])].filter(leadsHere)
  return [...new Set(found.map(({ title }) => title))]
}

/** The languages whose menus show the page. */
export const menuLocalesOf = (site: Site, page: PageRow): Locale[] =>
  languagesOf(site).filter((locale) => !deepEqual(withoutMenuItems(site, page, [locale]), site))

/** The languages in which the header, the footer or the menu has content. */
export const languagesOf = ({ branding, menus }: Pick<Site, 'branding' | 'menus'>): Locale[] => [
  ...new Set([
    ...Object.values(branding).flatMap((areas) => Object.values(areas).flatMap((texts) => Object.keys(texts))),
    ...Object.keys(menus?.main ?? {}),
  ]),
]

/** The configuration without the items of a page in the menus of these languages. */
export function withoutMenuItems<S extends Site>(site: S, page: PageRow, of: readonly Locale[]): S {
  const leadsHere = isLinkTo(page, site)
  const branding = mapAreas(site.branding, (blocks, locale) =>
    of.includes(locale) ? pruned(blocks, leadsHere) : blocks,
  )
  const menus =
    site.menus &&
    mapMenuTrees(site.menus, (tree, locale) => (of.includes(locale) ? removeMenuItems(tree, leadsHere) : [...tree]))
  return { ...site, branding, ...(menus && { menus }) }
}

interface Link {
  title: string
  url?: string | undefined
  page?: MenuItem['page']
}

/** Whether a link leads to the page: by its id, or by a path at which it is live. */
function isLinkTo(page: PageRow, site: Site): (link: Link) => boolean {
  const live = textsOf(page).flatMap((text) => {
    const path = livePath(text, site)
    // Links are written with addresses in the main language, without their prefix; those from before are Dutch.
    const isWritten = text.locale === defaultLocale || text.locale === mainLocaleOf(site)
    return path === null ? [] : [path, ...(isWritten ? [`/${text.liveSlug}`] : [])]
  })
  const paths = new Set(live.flatMap((path) => [path, encodeURI(path)]))
  return ({ url, page: id }) => id === page.id || (url !== undefined && paths.has(url.replace(/[?#].*$/, '')))
}

function* linksIn(value: unknown): Generator<Link> {
  if (typeof value !== 'object' || value === null) return
  const { title, url } = value as Partial<Link>
  if (typeof title === 'string' && typeof url === 'string') yield { title, url }
  for (const inner of Object.values(value)) yield* linksIn(inner)
}

/** Removes items of `menu` blocks, also of nested ones. */
function pruned<Value>(value: Value, isRemoved: (link: Link) => boolean): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => pruned(one, isRemoved)) as Value
  const { type, items } = value as { type?: unknown; items?: unknown }
  if (type === 'menu' && Array.isArray(items)) return { ...value, items: removeMenuItems(items, isRemoved) }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pruned(inner, isRemoved)])) as Value
}

const mapAreas = (
  branding: Site['branding'],
  change: <Blocks>(blocks: Blocks, locale: Locale) => Blocks,
): Site['branding'] =>
  Object.fromEntries(
    Object.entries(branding).map(([bar, areas]) => [
      bar,
      Object.fromEntries(
        Object.entries(areas).map(([area, texts]) => [
          area,
          Object.fromEntries(Object.entries(texts).map(([locale, list]) => [locale, change(list, locale as Locale)])),
        ]),
      ),
    ]),
  ) as Site['branding']
