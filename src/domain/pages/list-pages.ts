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
import { type PageFilter, pageList } from './page-list.queries.ts'
import { shownInLocale, shownPage, shownPages } from './show-page.ts'

/** One page of the page list, last saved first. Search covers titles and slugs. */
export async function listPages(ctx: Context, query: PageQuery): Promise<ListOf<ListedPage>> {
  const actor = allow(ctx, canSeePages)
  const { sort = '-updatedAt', search, status, locale, bin, collection } = query
  const list = pageList({
    terms: searchTerms(search),
    trashed: bin === 'true',
    locale,
    otherLocales: ctx.site.locales.some((one) => !listedLocales.some((listed) => listed === one)),
    collection,
    status,
    userId: actor.id,
    sort: sort.replace('-', '') as PageFilter['sort'],
    descending: sort.startsWith('-'),
  })
  const found = await paginateIds(ctx.db, ctx.dialect, list, rangeOf(query))
  return toListOf(
    await shownPages({ tx: ctx.db, site: ctx.site }, await listPageRows(ctx.db, found.ids), actor),
    query,
    found,
  )
}

/** @throws {Refusal} `not_found` */
export async function getPage(ctx: Context, id: number): Promise<PageWithLinks> {
  const actor = allow(ctx, canSeePages)
  const page = await getPageRow(ctx.db, id)
  const inMenus = menuLocalesOf(ctx.site, page)
  return {
    ...(await shownPage({ tx: ctx.db, site: ctx.site }, page, actor)),
    linkTitles: linkTitles(ctx.site, page),
    inMenus,
  }
}

/** A page for editing in one language, with or without a text there. @throws {Refusal} `not_found` */
export async function getPageInLocale(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
): Promise<PageInLocale> {
  const actor = allow(ctx, canSeePages)
  const page = await getPageRow(ctx.db, id)
  refuseOtherLanguage(ctx.site, page, locale)
  return shownInLocale({ tx: ctx.db, site: ctx.site }, page, locale, actor)
}

/** The languages in which there are pages outside the trash, also those that the site does not have now. */
export async function listPageLanguages(ctx: Context): Promise<PageLanguage[]> {
  allow(ctx, canSeePages)
  return countTextsByLocale(ctx.db)
}

/** The languages that a site lacks and in which there are pages outside the trash, which are hidden. */
export async function listHiddenLanguages(db: Db, { locales }: Pick<SiteConfig, 'locales'>): Promise<PageLanguage[]> {
  return (await countTextsByLocale(db)).filter(({ locale }) => !locales.includes(locale))
}

/** A language that the site does not have keeps its texts, but gets no new ones. @throws {Refusal} `not_found` */
export function refuseOtherLanguage({ locales }: Pick<SiteConfig, 'locales'>, page: PageRow, locale: Locale): void {
  if (!locales.includes(locale) && !page.texts[locale]) throw new Refusal('not_found')
}

/** @throws {Refusal} `not_found` */
export async function getPageRow(db: Db, id: number): Promise<PageRow> {
  const page = await findPageRow(db, id)
  if (!page) throw new Refusal('not_found')
  return page
}

/** A page outside the trash. @throws {Refusal} `not_found`, `page_in_bin` */
export async function openPageRow(tx: Transaction, id: number): Promise<PageRow> {
  const page = await getPageRow(tx, id)
  if (page.deletedAt !== null) throw new Refusal('page_in_bin')
  return page
}

/** The current titles of pages. */
export const findTitles: FindPageTitles = async ({ db, site }, ids) =>
  new Map((await listPageRows(db, ids)).map((page) => [page.id, subjectOf(page, site).name]))

/** The pages that use a file in their live, saved or scheduled text, or in any user's draft. */
export const findPageFileUsages: ListFileUsages = async ({ db, site, actor }, publicIds) => {
  const readable = actor !== undefined && canSeePages(actor)
  const pages = await listPagesWithFiles(db, publicIds, mainLocaleOf(site))
  return pages.map(({ id, title }) => ({
    type: 'page',
    ...(readable ? { name: title, id } : { name: null, id: null }),
  }))
}

type Site = Pick<SiteConfig, 'branding' | 'menus' | 'locales' | 'rootLocale'>

/** The titles of the links to a page by its address, in the header, the footer and the menu. */
function linkTitles(site: Site, page: PageRow): string[] {
  const leadsHere = isLinkTo(page, site)
  const found = [...linksIn([site.branding, site.menus])].filter(leadsHere)
  return [...new Set(found.map(({ title }) => title))]
}

/** The languages whose menus show the page. */
const menuLocalesOf = (site: Site, page: PageRow): Locale[] =>
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
