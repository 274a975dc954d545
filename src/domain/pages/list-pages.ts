import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import { defaultLocale, type Locale, mainLocaleOf } from '../../contract/locales.ts'
import { type MenuItem, mapMenuTrees, removeMenuItems } from '../../contract/menus.ts'
import type { ListedPage, PageInLocale, PageLanguage, PageQuery, PageWithLinks } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { paginateIds } from '../../platform/db/long-list.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import type { FindPageTitles } from '../audit/list-changes.ts'
import type { ListFileUsages } from '../files/list-files.ts'
import { subjectOf } from './edit-page.ts'
import { canSeePages } from './page.policy.ts'
import {
  countTextsByLocale,
  findPageRow,
  listedLocales,
  listPageRows,
  listPagesWithFiles,
  livePath,
  type PageRow,
  textsOf,
} from './page.queries.ts'
import { buildPageList, type PageFilter } from './page-list.queries.ts'
import { loadListedPage, loadListedPages, loadPageInLocale } from './show-page.ts'

/** A range of the page list, by default the last saved first. Search covers titles and slugs. */
export async function listPages(ctx: Context, query: PageQuery): Promise<ListOf<ListedPage>> {
  const actor = allow(ctx, canSeePages)
  const { sort = '-updatedAt', search, status, locale, bin, collection } = query
  const list = buildPageList({
    terms: searchTerms(search),
    trashed: bin === 'true',
    locale,
    otherLocales: ctx.site.locales.some((language) => !listedLocales.some((listed) => listed === language)),
    collection,
    status,
    userId: actor.id,
    sort: sort.replace('-', '') as PageFilter['sort'],
    descending: sort.startsWith('-'),
  })
  const matches = await paginateIds(ctx.db, ctx.dialect, list, rangeOf(query))
  const rows = await listPageRows(ctx.db, matches.ids)
  return toListOf(await loadListedPages({ tx: ctx.db, site: ctx.site }, rows, actor), query, matches)
}

/** A page, the titles of the links to it, and the languages whose menus contain it. @throws {Refusal} `not_found` */
export async function getPage(ctx: Context, id: number): Promise<PageWithLinks> {
  const actor = allow(ctx, canSeePages)
  const page = await getPageRow(ctx.db, id)
  const inMenus = menuLocalesOf(ctx.site, page)
  return {
    ...(await loadListedPage({ tx: ctx.db, site: ctx.site }, page, actor)),
    linkTitles: listLinkTitles(ctx.site, page),
    inMenus,
  }
}

/** A page for editing in one language, also when it has no text in it. @throws {Refusal} `not_found` */
export async function getPageInLocale(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
): Promise<PageInLocale> {
  const actor = allow(ctx, canSeePages)
  const page = await getPageRow(ctx.db, id)
  refuseUnavailableLocale(ctx.site, page, locale)
  return loadPageInLocale({ tx: ctx.db, site: ctx.site }, page, locale, actor)
}

/** The languages in which there are pages outside the trash, also removed languages, with the number of pages. */
export async function listPageLanguages(ctx: Context): Promise<PageLanguage[]> {
  allow(ctx, canSeePages)
  return countTextsByLocale(ctx.db)
}

/** The removed languages in which there are pages outside the trash, which are hidden. */
export async function listHiddenLanguages(db: Db, { locales }: Pick<SiteConfig, 'locales'>): Promise<PageLanguage[]> {
  return (await countTextsByLocale(db)).filter(({ locale }) => !locales.includes(locale))
}

/** Refuses a new text in a language that the site lacks; an existing one stays. @throws {Refusal} `not_found` */
export function refuseUnavailableLocale({ locales }: Pick<SiteConfig, 'locales'>, page: PageRow, locale: Locale): void {
  if (!locales.includes(locale) && !page.texts[locale]) throw new Refusal('not_found')
}

/** @throws {Refusal} `not_found` */
export async function getPageRow(db: Db, id: number): Promise<PageRow> {
  const page = await findPageRow(db, id)
  if (!page) throw new Refusal('not_found')
  return page
}

/** A page outside the trash. @throws {Refusal} `not_found`, `page_in_bin` */
export async function getUntrashedPageRow(tx: Transaction, id: number): Promise<PageRow> {
  const page = await getPageRow(tx, id)
  if (page.deletedAt !== null) throw new Refusal('page_in_bin')
  return page
}

/** The current titles of pages, by id. */
export const findPageTitles: FindPageTitles = async ({ db, site }, ids) =>
  new Map((await listPageRows(db, ids)).map((page) => [page.id, subjectOf(page, site).name]))

/** The pages that use a file in their live, saved, scheduled or offered text, or in any user's draft. */
export const listPageFileUsages: ListFileUsages = async ({ db, site, actor }, publicIds) => {
  const mayRead = actor !== undefined && canSeePages(actor)
  const pages = await listPagesWithFiles(db, publicIds, mainLocaleOf(site))
  return pages.map(({ id, title }) => ({
    type: 'page',
    ...(mayRead ? { name: title, id } : { name: null, id: null }),
  }))
}

/** The parts of the configuration with links to pages. */
type Navigation = Pick<SiteConfig, 'branding' | 'menus' | 'locales' | 'rootLocale'>

/** The titles of the links to the address of a page in the header, the footer and the menus. */
function listLinkTitles(site: Navigation, page: PageRow): string[] {
  const links = [...linksIn([site.branding, site.menus])].filter(linkMatcher(page, site))
  return [...new Set(links.map(({ title }) => title))]
}

/** The languages whose menus show the page. */
const menuLocalesOf = (site: Navigation, page: PageRow): Locale[] =>
  navigationLocalesOf(site).filter((locale) => !deepEqual(withoutMenuItems(site, page, [locale]), site))

/** The languages in which the header, the footer or the menu has content. */
export const navigationLocalesOf = ({ branding, menus }: Pick<Navigation, 'branding' | 'menus'>): Locale[] => [
  ...new Set([
    ...Object.values(branding).flatMap((areas) => Object.values(areas).flatMap((texts) => Object.keys(texts))),
    ...Object.keys(menus?.main ?? {}),
  ]),
]

/** The configuration without the menu items that lead to a page, in these languages. */
export function withoutMenuItems<S extends Navigation>(site: S, page: PageRow, from: readonly Locale[]): S {
  const leadsHere = linkMatcher(page, site)
  const branding = mapAreas(site.branding, (blocks, locale) =>
    from.includes(locale) ? withoutItems(blocks, leadsHere) : blocks,
  )
  const menus =
    site.menus &&
    mapMenuTrees(site.menus, (tree, locale) => (from.includes(locale) ? removeMenuItems(tree, leadsHere) : [...tree]))
  return { ...site, branding, ...(menus && { menus }) }
}

interface Link {
  title: string
  url?: string | undefined
  page?: MenuItem['page']
}

/** A function that tells whether a link leads to the page: by the id of the page, or by a path at which it is live. */
function linkMatcher(page: PageRow, site: Navigation): (link: Link) => boolean {
  const livePaths = textsOf(page).flatMap((text) => {
    const path = livePath(text, site)
    // Links are written with paths in the main language without prefix, older ones in Dutch.
    const isLinkLanguage = text.locale === defaultLocale || text.locale === mainLocaleOf(site)
    return path === null ? [] : [path, ...(isLinkLanguage ? [`/${text.liveSlug}`] : [])]
  })
  const paths = new Set(livePaths.flatMap((path) => [path, encodeURI(path)]))
  return ({ url, page: id }) => id === page.id || (url !== undefined && paths.has(url.replace(/[?#].*$/, '')))
}

/** Yields every object in a value, at any depth, that has a title and a URL. */
function* linksIn(value: unknown): Generator<Link> {
  if (typeof value !== 'object' || value === null) return
  const { title, url } = value as Partial<Link>
  if (typeof title === 'string' && typeof url === 'string') yield { title, url }
  for (const inner of Object.values(value)) yield* linksIn(inner)
}

/** Blocks without the removed items of their `menu` blocks, also of nested ones. */
function withoutItems<Value>(value: Value, isRemoved: (link: Link) => boolean): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => withoutItems(element, isRemoved)) as Value
  const { type, items } = value as { type?: unknown; items?: unknown }
  if (type === 'menu' && Array.isArray(items)) return { ...value, items: removeMenuItems(items, isRemoved) }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutItems(inner, isRemoved)])) as Value
}

/** Changes the blocks of each area of each bar (the header and the footer) in each language. */
const mapAreas = (
  branding: Navigation['branding'],
  change: <Blocks>(blocks: Blocks, locale: Locale) => Blocks,
): Navigation['branding'] =>
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
  ) as Navigation['branding']
