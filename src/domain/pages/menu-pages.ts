import { defaultLocale } from '../../contract/locales.ts'
import {
  type MenuPage,
  type MenuPageRef,
  type MenuPages,
  type Menus,
  mapMenuItems,
  mapMenuTrees,
  menuPageRefs,
  parseMenuPage,
  removeMenuItems,
} from '../../contract/menus.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { findLiveTitles } from './live-page.queries.ts'
import { type Db, findPageRows, textsOf } from './page.queries.ts'
import { findPageIdBySlug, listSeeds } from './seed.queries.ts'

/**
 * The pages of the menu as visitors see them, with the configuration in which the menu names them by id. Read once for
 * all requests, and again when one of them changes.
 */
export async function findMenuPages(db: Db, site: SiteConfig): Promise<{ site: SiteConfig; menuPages: MenuPages }> {
  const bound = await withMenuPageIds(db, site)
  const ids = menuPageRefs(bound.menus).filter((ref) => typeof ref === 'number')
  const rows = await findPageRows(db, ids)
  const titles = await findLiveTitles(db, rows)
  const menuPages = new Map<MenuPageRef, MenuPage>()
  for (const { id, texts } of rows) {
    const shown: MenuPage = {}
    for (const text of textsOf({ texts })) {
      const title = titles.get(text)
      if (text.liveSlug !== null && title !== undefined) shown[text.locale] = { title, slug: text.liveSlug }
    }
    menuPages.set(id, shown)
  }
  return { site: bound, menuPages }
}

/** Whether one of these cache tags is of a page in the menu. */
export function showsOneOf(
  tags: readonly string[],
  { menus, locales }: Pick<SiteConfig, 'menus' | 'locales'>,
): boolean {
  const tagOf = (ref: MenuPageRef) =>
    typeof ref === 'number' ? `page#${ref}` : `page:/${parseMenuPage(ref, locales).slug}`
  const shown = new Set(menuPageRefs(menus).map(tagOf))
  return tags.some((tag) => shown.has(tag))
}

/** The configuration with the ids of pages that its menu names by their slugs; unknown ones stay. */
export async function withMenuPageIds(db: Db, site: SiteConfig): Promise<SiteConfig> {
  const named = menuPageRefs(site.menus).filter((ref) => typeof ref === 'string')
  if (!site.menus || named.length === 0) return site
  const seeds = await listSeeds(db)
  const ids = new Map<MenuPageRef, number>()
  for (const ref of named) {
    const { locale, slug } = parseMenuPage(ref, site.locales)
    // A page of the configuration keeps the name that it has there when its slug changes.
    const seeded = locale === undefined ? seeds.find((seed) => seed.slug === slug)?.pageId : undefined
    const id = seeded ?? (await findPageIdBySlug(db, slug, locale))
    if (id != null) ids.set(ref, id)
  }
  return { ...site, menus: withRefs(site.menus, (ref) => ids.get(ref) ?? ref) }
}

/**
 * The configuration for a file, where the menu names pages by their slugs: with a language where the slug alone would be
 * that of another page. Pages that are gone are left out.
 */
export async function withMenuSlugs(db: Db, site: SiteConfig): Promise<SiteConfig> {
  if (!site.menus) return site
  const ids = menuPageRefs(site.menus).filter((ref) => typeof ref === 'number')
  const seeds = await listSeeds(db)
  const names = new Map<MenuPageRef, string>()
  for (const { id, deletedAt, texts } of await findPageRows(db, ids)) {
    const seed = seeds.find(({ slug, pageId }) => pageId === id && site.pages.some((page) => page.slug === slug))
    const text = textsOf({ texts })[0]
    if (deletedAt !== null || text === undefined) continue
    const { locale, slug } = text
    const isSeed = seeds.some((one) => one.slug === slug && one.pageId !== null)
    names.set(id, seed?.slug ?? (locale === defaultLocale && !isSeed ? slug : `${locale}/${slug}`))
  }
  const isGone = (ref: MenuPageRef | undefined) => typeof ref === 'number' && !names.has(ref)
  const menus = mapMenuTrees(site.menus, (tree) => removeMenuItems(tree, ({ page }) => isGone(page)))
  return { ...site, menus: withRefs(menus, (ref) => names.get(ref) ?? ref) }
}

const withRefs = (menus: Menus, change: (ref: MenuPageRef) => MenuPageRef): Menus =>
  mapMenuTrees(menus, (tree) =>
    mapMenuItems(tree, (item) => (item.page === undefined ? item : { ...item, page: change(item.page) })),
  )
