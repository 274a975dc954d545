import { isHiddenEntry } from '../../contract/collections.ts'
import type { Configuration } from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import { findOwnMenu, menuAreas, ownHeaderItems, showsSiteMenu } from '../../contract/header-menus.ts'
import { defaultLocale, type Locale, localized, mainLocaleOf } from '../../contract/locales.ts'
import type { MenuItem, Menus, NamedPage, NewMenuItem } from '../../contract/menus.ts'
import type { SiteConfig, StoredBlock } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { languagesOf, withoutMenuItems } from '../pages/list-pages.ts'
import { findLiveRow } from '../pages/live-page.queries.ts'
import { findPageRow, listPageRows, type PageRow } from '../pages/page.queries.ts'
import { pathIn } from '../redirects/redirect-target.ts'
import { applyConfiguration, findCurrentConfiguration, refuseInvalidConfiguration } from './apply-configuration.ts'
import { changeCurrent } from './change-configuration.ts'
import { validateConfiguration } from './configuration.ts'

/**
 * Takes the items of the header's own menus over into the menu of the site, which those blocks then show. Addresses of
 * published pages become those pages.
 * @throws {Refusal} `stale`; `invalid` for a menu that is too large
 */
export async function takeOverMenus(ctx: Context, { version }: { version: number }): Promise<Configuration> {
  return changeCurrent(ctx, version, async ({ site }, tx) => validateChange(ctx, await withTakenOver(tx, site)))
}

/**
 * Adds a page to the menu in one language. Where no block shows the menu in it yet, the header's own menus are taken over
 * first.
 * @throws {Refusal} `stale`; `invalid` at `page` or `under`
 */
export async function addToMenu(ctx: Context, input: NewMenuItem): Promise<Configuration> {
  const { version, locale, page, under } = input
  return changeCurrent(ctx, version, async (before, tx) => {
    if (!(await findPageRow(tx, page))) throw new Refusal('invalid', { problems: [{ path: 'page', key: 'menuPage' }] })
    const site = showsSiteMenu(before.site, locale) ? before.site : await withTakenOver(tx, before.site)
    const main = site.menus?.main ?? { [mainLocaleOf(site)]: [] }
    // Without a tree of its own a language shows that of the main one, which must not disappear.
    const tree = structuredClone(localized(main, locale).value)
    itemsAt(tree, under).push({ title: '', page, className: '', submenu: [] })
    return validateChange(ctx, { ...site, menus: { main: { ...main, [locale]: tree } } })
  })
}

/** The list of items at a path of indexes: the tree itself, or a submenu. */
function itemsAt(tree: MenuItem[], path: readonly number[]): MenuItem[] {
  return path.reduce((list, index) => {
    const submenu = list[index]?.submenu
    if (!submenu) throw new Refusal('invalid', { problems: [{ path: 'under', key: 'value' }] })
    return submenu
  }, tree)
}

/**
 * Does a change that takes a page off the site, and removes the items of that page from the menus, in one transaction.
 * @param work the change, in the given context
 * @param page.locales the languages in which the page is taken off; by default all
 */
export async function alsoRemoveFromMenu<Result>(
  ctx: Context,
  { id, locales }: { id: number; locales?: readonly Locale[] },
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  allow(ctx, ['config.write'])
  const change = async (tx: Transaction) => {
    await ctx.dialect.lock(tx, 'configuration')
    // Read before the change, because an address leads to the page only while it is live.
    const page = await findPageRow(tx, id)
    const result = await work(insideTransaction(ctx, tx))
    const before = await findCurrentConfiguration(tx, ctx.site, ctx.publicDir)
    const site = page ? withoutMenuItems(before.site, page, locales ?? languagesOf(before.site)) : before.site
    if (!deepEqual(site, before.site)) {
      await applyConfiguration(tx, ctx, { ...validateChange(ctx, site), before, source: 'the menu' })
    }
    return result
  }
  const result = await refuseInvalidConfiguration(() => ctx.transaction(change))
  await ctx.wake.invalidation()
  return result
}

/** A context for work that is part of this transaction; the caller signals the change after the commit. */
const insideTransaction = (ctx: Context, tx: Transaction): Context => ({
  ...ctx,
  transaction: (work) => work(tx),
  wake: { ...ctx.wake, invalidation: async () => {} },
})

/** The pages with these ids, for the screens that show a menu; those that do not exist are left out. */
export async function listNamedPages(ctx: Context, ids: readonly number[]): Promise<NamedPage[]> {
  allow(ctx, ['config.write'])
  const named = ({ texts }: PageRow, locale: Locale) => {
    const text = texts[locale]
    return text ? { title: text.title, slug: text.liveSlug ?? text.slug, isLive: text.liveSlug !== null } : null
  }
  return (await listPageRows(ctx.db, ids)).map((page) => ({
    id: page.id,
    inTrash: page.deletedAt !== null,
    isHidden: isHiddenEntry(ctx.site, page.collection),
    nl: named(page, 'nl'),
    fa: named(page, 'fa'),
    texts: Object.fromEntries(
      Object.keys(page.texts).flatMap((locale) => {
        const text = named(page, locale)
        return text ? [[locale, text]] : []
      }),
    ),
  }))
}

/**
 * The validated configuration, with what the history tells of the change.
 * @throws {InvalidConfiguration} for a menu that is too large or too deep, or an item without a title
 */
const validateChange = ({ publicDir }: Context, site: SiteConfig) => ({
  site: validateConfiguration(site, 'the menu', publicDir),
  kind: 'changed' as const,
  note: '',
  restoredId: null,
})

async function withTakenOver(tx: Transaction, site: SiteConfig): Promise<SiteConfig> {
  const main: Partial<Menus['main']> = { ...site.menus?.main }
  for (const locale of languagesOf(site)) {
    for (const items of ownHeaderItems(site, locale)) {
      const linked = await linkItemsToPages(tx, site, items, locale)
      const tree = main[locale] ?? shownTree(site, locale)
      const known = new Set(tree.map(keyOf))
      main[locale] = [...tree, ...linked.filter((item) => !known.has(keyOf(item)))]
    }
  }
  const { navbar } = site.branding
  const areas = menuAreas.map((area) => [
    area,
    Object.fromEntries(Object.entries(navbar[area]).map(([locale, list]) => [locale, list && withSiteMenu(list)])),
  ])
  return {
    ...site,
    branding: { ...site.branding, navbar: { ...navbar, ...Object.fromEntries(areas) } },
    menus: { main: { [mainLocaleOf(site)]: [], ...main } },
  }
}

/** The items of the menu that readers of a language see already: without a tree of its own, those of the main language. */
const shownTree = (site: SiteConfig, locale: Locale): readonly MenuItem[] =>
  site.menus && showsSiteMenu(site, locale) ? localized(site.menus.main, locale).value : []

/** Equal for items that the menus for computer and phone both have. */
const keyOf = ({ title, page, url }: MenuItem) => JSON.stringify([title, page, url])

function withSiteMenu(list: readonly StoredBlock[]): StoredBlock[] {
  const own = findOwnMenu(list)
  return list.map((block) => {
    if (block !== own) return block
    const { items: _, ...others } = own
    return { ...others, menu: 'main' }
  })
}

async function linkItemsToPages(
  tx: Transaction,
  site: SiteConfig,
  items: readonly MenuItem[],
  locale: Locale,
): Promise<MenuItem[]> {
  const linked: MenuItem[] = []
  for (const { url, ...item } of items) {
    const submenu = await linkItemsToPages(tx, site, item.submenu, locale)
    const page = url === undefined ? undefined : await findLivePageId(tx, site, url, locale)
    linked.push({ ...item, submenu, ...(page === undefined ? url !== undefined && { url } : { page }) })
  }
  return linked
}

/**
 * The published page at an address as content writes it: without a language prefix, and with the slug of that language or of
 * the main one. Links from before there was another main language are Dutch.
 */
async function findLivePageId(
  tx: Transaction,
  site: SiteConfig,
  url: string,
  locale: Locale,
): Promise<number | undefined> {
  const slug = pathIn(url)?.slice(1)
  if (!slug) return undefined
  for (const one of [locale, mainLocaleOf(site), defaultLocale]) {
    const row = await findLiveRow(tx, one, slug)
    if (row) return row.pageId
  }
  return undefined
}
