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
import { navigationLocalesOf, withoutMenuItems } from '../pages/list-pages.ts'
import { findLiveRow } from '../pages/live-page.queries.ts'
import { findPageRow, listPageRows, type PageRow } from '../pages/page.queries.ts'
import { normalizePath } from '../redirects/redirect-target.ts'
import { applyConfiguration, findCurrentConfiguration, refuseInvalidConfiguration } from './apply-configuration.ts'
import { changeCurrent } from './change-configuration.ts'
import { validateConfiguration } from './configuration.ts'

/**
 * Moves the items of the header's own menu blocks into the menu of the site, which these blocks then show. A URL of a
 * published page becomes a reference to that page.
 * @throws {Refusal} `stale`; `invalid` for a menu that is too large
 */
export async function takeOverMenus(ctx: Context, { version }: { version: number }): Promise<Configuration> {
  return changeCurrent(ctx, version, async ({ site }, tx) => validateChange(ctx, await moveMenusIntoSite(tx, site)))
}

/**
 * Adds a page to the menu in one language. If no block shows the menu of the site in it yet, the header's own menus are moved
 * into it first.
 * @throws {Refusal} `stale`; `invalid` at `page` or `under`
 */
export async function addToMenu(ctx: Context, input: NewMenuItem): Promise<Configuration> {
  const { version, locale, page, under } = input
  return changeCurrent(ctx, version, async (before, tx) => {
    if (!(await findPageRow(tx, page))) throw new Refusal('invalid', { problems: [{ path: 'page', key: 'menuPage' }] })
    const site = showsSiteMenu(before.site, locale) ? before.site : await moveMenusIntoSite(tx, before.site)
    const main = site.menus?.main ?? { [mainLocaleOf(site)]: [] }
    // Without a tree of its own a language shows that of the main one, which must not disappear.
    const tree = structuredClone(localized(main, locale).value)
    itemsAt(tree, under).push({ title: '', page, className: '', submenu: [] })
    return validateChange(ctx, { ...site, menus: { main: { ...main, [locale]: tree } } })
  })
}

/** The items at an index path: of the whole tree, or of a submenu. @throws {Refusal} `invalid` at `under` */
function itemsAt(tree: MenuItem[], path: readonly number[]): MenuItem[] {
  return path.reduce((list, index) => {
    const submenu = list[index]?.submenu
    if (!submenu) throw new Refusal('invalid', { problems: [{ path: 'under', key: 'value' }] })
    return submenu
  }, tree)
}

/**
 * Runs a change that unpublishes or deletes a page, and removes the items of that page from the menus, in one transaction.
 * @param work the change; its context is inside the transaction
 * @param page.locales the languages in which the page is unpublished; by default all
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
    const site = page ? withoutMenuItems(before.site, page, locales ?? navigationLocalesOf(before.site)) : before.site
    if (!deepEqual(site, before.site)) {
      await applyConfiguration(tx, ctx, { ...validateChange(ctx, site), before, source: 'the menu' })
    }
    return result
  }
  const result = await refuseInvalidConfiguration(() => ctx.transaction(change))
  await ctx.wake.invalidation()
  return result
}

/** The context inside a transaction. Other instances are told of the change by the caller, after the commit. */
const insideTransaction = (ctx: Context, tx: Transaction): Context => ({
  ...ctx,
  transaction: (work) => work(tx),
  wake: { ...ctx.wake, invalidation: async () => {} },
})

/** The pages with these ids, for the screens that show a menu; those that do not exist are left out. */
export async function listNamedPages(ctx: Context, ids: readonly number[]): Promise<NamedPage[]> {
  allow(ctx, ['config.write'])
  const textIn = ({ texts }: PageRow, locale: Locale) => {
    const text = texts[locale]
    return text ? { title: text.title, slug: text.liveSlug ?? text.slug, isLive: text.liveSlug !== null } : null
  }
  return (await listPageRows(ctx.db, ids)).map((page) => ({
    id: page.id,
    inTrash: page.deletedAt !== null,
    isHidden: isHiddenEntry(ctx.site, page.collection),
    nl: textIn(page, 'nl'),
    fa: textIn(page, 'fa'),
    texts: Object.fromEntries(
      Object.keys(page.texts).flatMap((locale) => {
        const text = textIn(page, locale)
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

async function moveMenusIntoSite(tx: Transaction, site: SiteConfig): Promise<SiteConfig> {
  const main: Partial<Menus['main']> = { ...site.menus?.main }
  for (const locale of navigationLocalesOf(site)) {
    for (const items of ownHeaderItems(site, locale)) {
      const linked = await linkItemsToPages(tx, site, items, locale)
      const tree = main[locale] ?? shownTree(site, locale)
      const existing = new Set(tree.map(keyOf))
      main[locale] = [...tree, ...linked.filter((item) => !existing.has(keyOf(item)))]
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

/** Equal for the same item in the menu for desktops and in the one for phones. */
const keyOf = ({ title, page, url }: MenuItem) => JSON.stringify([title, page, url])

/** The blocks with the first own menu showing the menu of the site instead. */
function withSiteMenu(list: readonly StoredBlock[]): StoredBlock[] {
  const own = findOwnMenu(list)
  return list.map((block) => {
    if (block !== own) return block
    const { items: _, ...menuBlock } = own
    return { ...menuBlock, menu: 'main' }
  })
}

/** Replaces the URLs of published pages by references to these pages. */
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
 * The published page at a URL without a language prefix, as texts contain it. Its slug is of the given language, of the
 * main one, or Dutch, if the link is from before the site had another main language.
 */
async function findLivePageId(
  tx: Transaction,
  site: SiteConfig,
  url: string,
  locale: Locale,
): Promise<number | undefined> {
  const slug = normalizePath(url)?.slice(1)
  if (!slug) return undefined
  for (const slugLocale of [locale, mainLocaleOf(site), defaultLocale]) {
    const row = await findLiveRow(tx, slugLocale, slug)
    if (row) return row.pageId
  }
  return undefined
}
