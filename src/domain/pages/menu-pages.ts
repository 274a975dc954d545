import { isHiddenEntry } from '../../contract/collections.ts'
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
import type { Db } from '../../platform/db/database.ts'
import { findLiveTitles } from './live-page.queries.ts'
import { listPageRows, textsOf } from './page.queries.ts'
import { findPageIdBySlug, listSeeds } from './seed.queries.ts'

/**
 * The published pages in the menu, and the configuration with menu items that refer to pages by id. Cached for all requests
 * until one of these pages changes.
 */
export async function findMenuPages(db: Db, site: SiteConfig): Promise<{ site: SiteConfig; menuPages: MenuPages }> {
  const linked = await withMenuPageIds(db, site)
  const ids = menuPageRefs(linked.menus).filter((ref) => typeof ref === 'number')
  const rows = await listPageRows(db, ids)
  const titles = await findLiveTitles(db, rows)
  const menuPages = new Map<MenuPageRef, MenuPage>()
  for (const { id, collection, texts } of rows) {
    const shown: MenuPage = {}
    for (const text of isHiddenEntry(site, collection) ? [] : textsOf({ texts })) {
      const title = titles.get(text)
      if (text.liveSlug !== null && title !== undefined) shown[text.locale] = { title, slug: text.liveSlug }
    }
    menuPages.set(id, shown)
  }
  return { site: linked, menuPages }
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

/** Replaces page slugs in the menu by page ids; unknown slugs stay. */
export async function withMenuPageIds(db: Db, site: SiteConfig): Promise<SiteConfig> {
  const named = menuPageRefs(site.menus).filter((ref) => typeof ref === 'string')
  if (!site.menus || named.length === 0) return site
  const seeds = await listSeeds(db)
  const ids = new Map<MenuPageRef, number>()
  for (const ref of named) {
    const { locale, slug } = parseMenuPage(ref, site.locales)
    // A page from the configuration is referred to by its slug there, also after its own slug changed.
    const seeded = locale === undefined ? seeds.find((seed) => seed.slug === slug)?.pageId : undefined
    const id = seeded ?? (await findPageIdBySlug(db, slug, locale))
    if (id != null) ids.set(ref, id)
  }
  return { ...site, menus: withRefs(site.menus, (ref) => ids.get(ref) ?? ref) }
}

/**
 * For an export: replaces page ids in the menu by slugs, with a language where the slug alone would mean another page.
 * Items of deleted pages are left out.
 */
export async function withMenuSlugs(db: Db, site: SiteConfig): Promise<SiteConfig> {
  if (!site.menus) return site
  const ids = menuPageRefs(site.menus).filter((ref) => typeof ref === 'number')
  const seeds = await listSeeds(db)
  const names = new Map<MenuPageRef, string>()
  for (const { id, deletedAt, texts } of await listPageRows(db, ids)) {
    const seed = seeds.find(({ slug, pageId }) => pageId === id && site.pages.some((page) => page.slug === slug))
    const all = textsOf({ texts })
    const shown = all.filter(({ locale }) => site.locales.includes(locale))
    const text = shown.find(({ liveSlug }) => liveSlug !== null) ?? shown[0] ?? all[0]
    if (deletedAt !== null || text === undefined) continue
    const { locale, slug } = text
    const isSlugOfSeed = seeds.some((one) => one.slug === slug && one.pageId !== null)
    names.set(id, seed?.slug ?? (locale === defaultLocale && !isSlugOfSeed ? slug : `${locale}/${slug}`))
  }
  const isGone = (ref: MenuPageRef | undefined) => typeof ref === 'number' && !names.has(ref)
  const menus = mapMenuTrees(site.menus, (tree) => removeMenuItems(tree, ({ page }) => isGone(page)))
  return { ...site, menus: withRefs(menus, (ref) => names.get(ref) ?? ref) }
}

const withRefs = (menus: Menus, change: (ref: MenuPageRef) => MenuPageRef): Menus =>
  mapMenuTrees(menus, (tree) =>
    mapMenuItems(tree, (item) => (item.page === undefined ? item : { ...item, page: change(item.page) })),
  )
