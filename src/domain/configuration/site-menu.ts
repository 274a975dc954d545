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
import { changeCurrentConfiguration } from './change-configuration.ts'
import { validateConfiguration } from './configuration.ts'

/**
 * Moves the items of the header's own menu blocks into the menu of the site, which these blocks show from then on. A
 * URL of a published page becomes a reference to that page.
 * @throws {Refusal} `stale`; `invalid` for a menu that is too large
 */
export async function takeOverMenus(ctx: Context, { version }: { version: number }): Promise<Configuration> {
  return changeCurrentConfiguration(ctx, version, async ({ site }, tx) =>
    validateChange(ctx, await moveMenusIntoSite(tx, site)),
  )
}

/**
 * Adds a page to the menu in one language. If no block shows the menu of the site in it yet, the header's own menus are
 * moved into it first.
 * @throws {Refusal} `stale`; `invalid` at `page` or `under`
 */
export async function addToMenu(ctx: Context, input: NewMenuItem): Promise<Configuration> {
  const { version, locale, page, under } = input
  return changeCurrentConfiguration(ctx, version, async (before, tx) => {
    if (!(await findPageRow(tx, page))) throw new Refusal('invalid', { problems: [{ path: 'page', key: 'menuPage' }] })
    const site = showsSiteMenu(before.site, locale) ? before.site : await moveMenusIntoSite(tx, before.site)
    const treeByLocale = site.menus?.main ?? { [mainLocaleOf(site)]: [] }
    // A language without a tree of its own shows that of the main language: its items are copied, so that its readers keep
    // them.
    const tree = structuredClone(localized(treeByLocale, locale).value)
    getItemsAt(tree, under).push({ title: '', page, className: '', submenu: [] })
    return validateChange(ctx, { ...site, menus: { main: { ...treeByLocale, [locale]: tree } } })
  })
}

/** The items of the tree, or of the submenu at a path of indexes. @throws {Refusal} `invalid` at `under` */
function getItemsAt(tree: MenuItem[], path: readonly number[]): MenuItem[] {
  return path.reduce((items, index) => {
    const submenu = items[index]?.submenu
    if (!submenu) throw new Refusal('invalid', { problems: [{ path: 'under', key: 'value' }] })
    return submenu
  }, tree)
}

/**
 * Runs a change that unpublishes or deletes a page, and removes the items of that page from the menus, in one
 * transaction.
 * @param page.locales the languages in which the page is unpublished; by default all
 * @param changePage the change; its context is inside the transaction
 * @returns the result of `changePage`
 */
export async function changePageAndRemoveFromMenu<Result>(
  ctx: Context,
  { id, locales }: { id: number; locales?: readonly Locale[] },
  changePage: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  allow(ctx, ['config.write'])
  const changePageAndMenu = async (tx: Transaction) => {
    await ctx.dialect.lock(tx, 'configuration')
    // Read before the change: an item may link to the page by an address that it loses then.
    const page = await findPageRow(tx, id)
    const result = await changePage(bindToTransaction(ctx, tx))
    const before = await findCurrentConfiguration(tx, ctx.site, ctx.publicDir)
    const site = page ? withoutMenuItems(before.site, page, locales ?? navigationLocalesOf(before.site)) : before.site
    if (!deepEqual(site, before.site)) {
      await applyConfiguration(tx, ctx, { ...validateChange(ctx, site), before, source: 'the menu' })
    }
    return result
  }
  const result = await refuseInvalidConfiguration(() => ctx.transaction(changePageAndMenu))
  await ctx.wake.invalidation()
  return result
}

/**
 * The context for a change within this transaction. Its `wake.invalidation` does nothing: it is called after the
 * commit.
 */
const bindToTransaction = (ctx: Context, tx: Transaction): Context => ({
  ...ctx,
  transaction: (work) => work(tx),
  wake: { ...ctx.wake, invalidation: async () => {} },
})

/**
 * The pages with these ids, with their titles, for the screens that show a menu; those that do not exist are left out.
 */
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
 * Validates a configuration with a changed menu. @returns it, with the other fields of its revision
 * @throws {InvalidConfiguration} for a menu that is too large or too deep, or an item without a title
 */
const validateChange = ({ publicDir }: Context, site: SiteConfig) => ({
  site: validateConfiguration(site, 'the menu', publicDir),
  kind: 'changed' as const,
  note: '',
  restoredId: null,
})

/** The configuration after `takeOverMenus`. Items that are in the menu of the site already are not added again. */
async function moveMenusIntoSite(tx: Transaction, site: SiteConfig): Promise<SiteConfig> {
  const treeByLocale: Partial<Menus['main']> = { ...site.menus?.main }
  for (const locale of navigationLocalesOf(site)) {
    for (const items of ownHeaderItems(site, locale)) {
      const linked = await linkItemsToPages(tx, site, items, locale)
      const tree = treeByLocale[locale] ?? shownTreeOf(site, locale)
      const existingKeys = new Set(tree.map(keyOf))
      treeByLocale[locale] = [...tree, ...linked.filter((item) => !existingKeys.has(keyOf(item)))]
    }
  }
  const { navbar } = site.branding
  const areas = menuAreas.map((area) => [
    area,
    Object.fromEntries(
      Object.entries(navbar[area]).map(([locale, blocks]) => [locale, blocks && withSiteMenu(blocks)]),
    ),
  ])
  return {
    ...site,
    branding: { ...site.branding, navbar: { ...navbar, ...Object.fromEntries(areas) } },
    // The tree of the main language comes first: see `Localized`.
    menus: { main: { [mainLocaleOf(site)]: [], ...treeByLocale } },
  }
}

/**
 * The items of the site's menu that readers of a language see now: without a tree of its own, those of the main
 * language.
 */
const shownTreeOf = (site: SiteConfig, locale: Locale): readonly MenuItem[] =>
  site.menus && showsSiteMenu(site, locale) ? localized(site.menus.main, locale).value : []

/** A key by which the same item in the menus for desktops and for phones is recognised. */
const keyOf = ({ title, page, url }: MenuItem) => JSON.stringify([title, page, url])

/** The blocks, with the menu of the site in place of the items of the first menu block with items of its own. */
function withSiteMenu(blocks: readonly StoredBlock[]): StoredBlock[] {
  const ownMenu = findOwnMenu(blocks)
  return blocks.map((block) => {
    if (block !== ownMenu) return block
    const { items: _, ...menuBlock } = ownMenu
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
    if (page !== undefined) linked.push({ ...item, submenu, page })
    else linked.push({ ...item, submenu, ...(url !== undefined && { url }) })
  }
  return linked
}

/**
 * The id of the published page at a URL without a language prefix, as menus contain it. The slug is that of the page in
 * the given language or in the main one; or in Dutch, if the link is from before the site had another main language.
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
