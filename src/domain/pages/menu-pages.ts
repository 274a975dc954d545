import {
  type MenuPage,
  type MenuPageRef,
  type MenuPages,
  type Menus,
  mapMenuItems,
  mapMenuTrees,
  menuPageRefs,
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
export function showsOneOf(tags: readonly string[], menus: Menus | undefined): boolean {
  const shown = new Set(menuPageRefs(menus).map((ref) => (typeof ref === 'number' ? `page#${ref}` : `page:/${ref}`)))
  return tags.some((tag) => shown.has(tag))
}

/** The configuration with the ids of pages that its menu names by their slugs; unknown ones stay. */
export async function withMenuPageIds(db: Db, site: SiteConfig): Promise<SiteConfig> {
  const slugs = menuPageRefs(site.menus).filter((ref) => typeof ref === 'string')
  if (!site.menus || slugs.length === 0) return site
  const seeds = await listSeeds(db)
  const ids = new Map<MenuPageRef, number>()
  for (const slug of slugs) {
    // A page of the configuration keeps the name that it has there when its slug changes.
    const id = seeds.find((seed) => seed.slug === slug)?.pageId ?? (await findPageIdBySlug(db, slug))
    if (id != null) ids.set(slug, id)
  }
  return { ...site, menus: withRefs(site.menus, (ref) => ids.get(ref) ?? ref) }
}

/** The configuration for a file, where the menu names pages by their slugs. Pages that are gone are left out. */
export async function withMenuSlugs(db: Db, site: SiteConfig): Promise<SiteConfig> {
  if (!site.menus) return site
  const ids = menuPageRefs(site.menus).filter((ref) => typeof ref === 'number')
  const seeds = await listSeeds(db)
  const slugs = new Map<MenuPageRef, string>()
  for (const { id, deletedAt, texts } of await findPageRows(db, ids)) {
    const seed = seeds.find(({ slug, pageId }) => pageId === id && site.pages.some((page) => page.slug === slug))
    const slug = seed?.slug ?? textsOf({ texts })[0]?.slug
    if (deletedAt === null && slug !== undefined) slugs.set(id, slug)
  }
  const isGone = (ref: MenuPageRef | undefined) => typeof ref === 'number' && !slugs.has(ref)
  const menus = mapMenuTrees(site.menus, (tree) => removeMenuItems(tree, ({ page }) => isGone(page)))
  return { ...site, menus: withRefs(menus, (ref) => slugs.get(ref) ?? ref) }
}

const withRefs = (menus: Menus, change: (ref: MenuPageRef) => MenuPageRef): Menus =>
  mapMenuTrees(menus, (tree) =>
    mapMenuItems(tree, (item) => (item.page === undefined ? item : { ...item, page: change(item.page) })),
  )
