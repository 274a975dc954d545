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
 * The live titles and slugs of the pages in the menu, and the configuration with page ids in the menu. `app.ts`
 * caches both until any of these pages changes.
 */
export async function findMenuPages(db: Db, site: SiteConfig): Promise<{ site: SiteConfig; menuPages: MenuPages }> {
  const siteWithIds = await withMenuPageIds(db, site)
  const ids = menuPageRefs(siteWithIds.menus).filter((ref) => typeof ref === 'number')
  const rows = await listPageRows(db, ids)
  const titles = await findLiveTitles(db, rows)
  const menuPages = new Map<MenuPageRef, MenuPage>()
  for (const { id, collection, texts } of rows) {
    const menuPage: MenuPage = {}
    for (const text of isHiddenEntry(site, collection) ? [] : textsOf({ texts })) {
      const title = titles.get(text)
      if (text.liveSlug !== null && title !== undefined) menuPage[text.locale] = { title, slug: text.liveSlug }
    }
    menuPages.set(id, menuPage)
  }
  return { site: siteWithIds, menuPages }
}

/** Whether any of these cache tags is that of a page in the menu. */
export function hasMenuPageTag(
  tags: readonly string[],
  { menus, locales }: Pick<SiteConfig, 'menus' | 'locales'>,
): boolean {
  const tagOf = (ref: MenuPageRef) =>
    typeof ref === 'number' ? `page#${ref}` : `page:/${parseMenuPage(ref, locales).slug}`
  const menuTags = new Set(menuPageRefs(menus).map(tagOf))
  return tags.some((tag) => menuTags.has(tag))
}

/** The configuration with page ids in the menu instead of slugs; unknown slugs stay. */
export async function withMenuPageIds(db: Db, site: SiteConfig): Promise<SiteConfig> {
  const slugRefs = menuPageRefs(site.menus).filter((ref) => typeof ref === 'string')
  if (!site.menus || slugRefs.length === 0) return site
  const seeds = await listSeeds(db)
  const ids = new Map<MenuPageRef, number>()
  for (const ref of slugRefs) {
    const { locale, slug } = parseMenuPage(ref, site.locales)
    // A page from the configuration is referred to by the slug that it has there, also after users changed its slug.
    const seededId = locale === undefined ? seeds.find((seed) => seed.slug === slug)?.pageId : undefined
    const id = seededId ?? (await findPageIdBySlug(db, slug, locale))
    if (id != null) ids.set(ref, id)
  }
  return { ...site, menus: withPageRefs(site.menus, (ref) => ids.get(ref) ?? ref) }
}

/**
 * The configuration for an export: with slugs in the menu, as `<locale>/<slug>` where the slug alone would mean another
 * page, instead of page ids. Items of deleted and trashed pages are left out.
 */
export async function withMenuSlugs(db: Db, site: SiteConfig): Promise<SiteConfig> {
  if (!site.menus) return site
  const ids = menuPageRefs(site.menus).filter((ref) => typeof ref === 'number')
  const seeds = await listSeeds(db)
  const slugRefs = new Map<MenuPageRef, string>()
  for (const { id, deletedAt, texts } of await listPageRows(db, ids)) {
    const seed = seeds.find(({ slug, pageId }) => pageId === id && site.pages.some((page) => page.slug === slug))
    const allTexts = textsOf({ texts })
    const siteTexts = allTexts.filter(({ locale }) => site.locales.includes(locale))
    const text = siteTexts.find(({ liveSlug }) => liveSlug !== null) ?? siteTexts[0] ?? allTexts[0]
    if (deletedAt !== null || text === undefined) continue
    const { locale, slug } = text
    const isSlugOfSeed = seeds.some((other) => other.slug === slug && other.pageId !== null)
    const isUnambiguous = locale === defaultLocale && !isSlugOfSeed
    slugRefs.set(id, seed?.slug ?? (isUnambiguous ? slug : `${locale}/${slug}`))
  }
  const isMissing = (ref: MenuPageRef | undefined) => typeof ref === 'number' && !slugRefs.has(ref)
  const menus = mapMenuTrees(site.menus, (tree) => removeMenuItems(tree, ({ page }) => isMissing(page)))
  return { ...site, menus: withPageRefs(menus, (ref) => slugRefs.get(ref) ?? ref) }
}

const withPageRefs = (menus: Menus, change: (ref: MenuPageRef) => MenuPageRef): Menus =>
  mapMenuTrees(menus, (tree) =>
    mapMenuItems(tree, (item) => (item.page === undefined ? item : { ...item, page: change(item.page) })),
  )
