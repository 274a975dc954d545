import { createHash } from 'node:crypto'
import { withoutIds } from '../../blocks/block-ids.ts'
import { collectionAt, collectionSlug, feedAt } from '../../contract/collections.ts'
import { emptyText } from '../../contract/empty-text.ts'
import {
  defaultLocale,
  type Locale,
  localized,
  localizedPath,
  mainLocaleOf,
  prefixedPath,
  rootLocaleOf,
  splitLocale,
} from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { fillPlaceholders, placeholdersOf } from '../../contract/placeholders.ts'
import type { Context } from '../../platform/context.ts'
import { findRedirectFrom } from '../redirects/redirect.queries.ts'
import { encodedRest, splitTarget, targetIn, withRest } from '../redirects/redirect-target.ts'
import { showSections } from '../sections/shown-sections.ts'
import { type EntryView, findOverview, loadEntryView, type OverviewView } from './collection-view.ts'
import { listOverviewDates } from './entry.queries.ts'
import { showEntryLists } from './entry-lists.ts'
import { countSitemapRows, findShownRow, type LiveRow, listSitemapRows } from './live-page.queries.ts'

/** A live page in one language. */
export interface LivePage extends PageText {
  id: number
  /** Path without language prefix, in the requested language: `/`, `/disclaimer`. */
  path: string
  /** Date of the text. */
  updated: string
  /** The language of the content; the main one where a translation is missing. */
  contentLocale: Locale
  /** The path in each language with a translation of its own, as in the address bar. */
  alternates: { locale: Locale; path: string }[]
  /** The ids of the sections on the page; the blocks already contain their content. */
  sections: string[]
  /** The cache tags of its lists of entries. */
  listTags?: string[]
  /** The data of a collection's entry or overview; omitted for other pages. */
  collection?: EntryView | OverviewView | undefined
}

type ReadContext = Pick<Context, 'db' | 'site'>

/**
 * The published page at a path such as `/disclaimer`, in one language. A page without a translation is found at its path
 * in the main language, in that language; one with a translation is found there too, and its `path` then differs. At the
 * root only the home page is shown so: the other pages may have stood there, and have moved to their prefix.
 */
export async function findLivePage(ctx: ReadContext, path: string, locale: Locale): Promise<LivePage | undefined> {
  const slug = slugOf(path)
  if (slug === undefined || !ctx.site.locales.includes(locale)) return undefined
  const own = await findShownRow(ctx, locale, slug)
  if (own) return toLivePage(ctx, own, { locale, reader: locale, path })
  const { site } = ctx
  const [main, root] = [mainLocaleOf(site), rootLocaleOf(site)]
  const fallsBack = locale !== main && (slug === '' || locale !== root)
  const isFormer = slug !== '' && !site.locales.includes(defaultLocale)
  // Links from before Dutch was removed are written with its paths.
  for (const written of [...(fallsBack ? [main] : []), ...(isFormer ? [defaultLocale] : [])]) {
    const original = await findShownRow(ctx, written, slug)
    for (const shown of locale === root && !fallsBack ? [locale] : [locale, main]) {
      const found = original?.liveSlugs.find((one) => one.locale === shown)
      const text = found && (await findShownRow(ctx, shown, found.slug))
      if (text) return toLivePage(ctx, text, { locale: shown, reader: locale, path: `/${text.text.slug}` })
    }
  }
  return undefined
}

/**
 * The published page at a path, or else the overview of a collection there.
 * @param query of an overview: its page and category
 */
export async function findShownPage(
  ctx: ReadContext,
  path: string,
  locale: Locale,
  query: URLSearchParams,
): Promise<LivePage | undefined> {
  const page = await findLivePage(ctx, path, locale)
  const overview = page ? undefined : await findOverview(ctx, path, locale, query)
  if (!overview) return page
  const { collection } = overview
  return {
    ...emptyText,
    title: localized(collection.name, locale).value,
    description: collection.intro ? localized(collection.intro, locale).value : '',
    slug: collectionSlug(collection, locale),
    id: 0,
    path,
    updated: '',
    contentLocale: locale,
    alternates: ctx.site.locales.map((one) => ({
      locale: one,
      path: localizedPath(`/${collectionSlug(collection, one)}`, one, ctx.site),
    })),
    sections: [],
    collection: overview,
  }
}

/** Browsers stop after about this many redirects too. */
const maxSteps = 20

/**
 * The final target of a redirect as a URL path, also for old URLs of a language that was at the root before. Undefined when
 * it ends at a path without a live page, or in a loop, which redirects of two languages can form together.
 * @param answers whether the site serves something other than a page at an encoded path
 * @param seen the addresses that were followed before
 */
export async function resolveRedirect(
  ctx: ReadContext & Pick<Context, 'origin'>,
  path: string,
  locale: Locale,
  answers: (path: string) => Promise<boolean>,
  seen = new Set<string>(),
): Promise<string | undefined> {
  const before = seen.size
  let at = { path, locale }
  let rest = ''
  while (seen.size < maxSteps) {
    const address = localizedPath(at.path, at.locale, ctx.site)
    if (seen.has(address)) return undefined
    const to = await findNext(ctx, at)
    if (to === undefined) {
      const last = encodeURI(address)
      if (seen.size > before && (await answers(last))) return last + rest
      const moved = at.locale === rootLocaleOf(ctx.site) ? await findMoved(ctx, at.path) : undefined
      if (moved === undefined) return undefined
      const there = localizedPath(at.path, moved, ctx.site)
      if (seen.has(there)) return undefined
      const next = await resolveRedirect(ctx, at.path, moved, answers, seen.add(address))
      return (next ?? encodeURI(there)) + rest
    }
    if (!to.startsWith('/')) return withRest(to, rest)
    seen.add(address)
    const target = splitTarget(to)
    rest = encodedRest(target.rest) || rest
    at = splitLocale(target.path, ctx.site)
    const page = await findLivePage(ctx, at.path, at.locale)
    if (page) return encodeURI(localizedPath(page.path, at.locale, ctx.site)) + rest
  }
  return undefined
}

/** Whether the path belongs to a permanently deleted page (410). */
export async function isGone(ctx: ReadContext, path: string, locale: Locale): Promise<boolean> {
  return (await findRedirectAt(ctx, path, locale))?.to === null
}

/** The redirect from a path: as it is now, with its language prefix, or without it. */
async function findRedirectAt({ db, site }: ReadContext, path: string, locale: Locale) {
  const own = localizedPath(path, locale, site)
  const found = await findRedirectFrom(db, ...new Set([own, prefixedPath(path, locale), path]))
  return found && { to: found.to, isOwn: found.from !== path || found.from === own }
}

/** A language that was at the root before, and has a page, overview, feed or redirect at this path. */
async function findMoved(ctx: ReadContext, path: string): Promise<Locale | undefined> {
  const { db, site } = ctx
  const slug = slugOf(path)
  if (slug === undefined) return undefined
  for (const locale of new Set([defaultLocale, ...(site.formerRootLocales ?? [])])) {
    if (locale === rootLocaleOf(site) || !site.locales.includes(locale)) continue
    const isThere =
      collectionAt(site, slug, locale) ||
      feedAt(site, path, locale) ||
      (await findShownRow(ctx, locale, slug)) ||
      (await findRedirectFrom(db, localizedPath(path, locale, site)))
    if (isThere) return locale
  }
  return undefined
}

async function findNext(
  ctx: ReadContext & Pick<Context, 'origin'>,
  { path, locale }: { path: string; locale: Locale },
): Promise<string | undefined> {
  // Links are written with paths in the main language, older ones in Dutch, on pages of every language.
  const found = await findRedirectAt(ctx, path, locale)
  // An address that is gone for good.
  if (!found || found.to === null) return undefined
  const to = found.to.startsWith('/') ? found.to : (targetIn(found.to, ctx.origin) ?? found.to)
  return found.isOwn ? to : inLocale(ctx, to, locale)
}

function inLocale({ site }: ReadContext, to: string, locale: Locale): string {
  const { path, rest } = splitTarget(to)
  const isAtRoot = path.startsWith('/') && splitLocale(path, site).locale === rootLocaleOf(site)
  return isAtRoot ? localizedPath(path, locale, site) + rest : to
}

/** The path of a page in a language, with or without a translation. */
export function pathInLocale({ site }: Pick<Context, 'site'>, page: LivePage, locale: Locale): string {
  const own = page.alternates.find((one) => one.locale === locale)?.path
  if (own) return own
  const original = page.alternates.find((one) => one.locale === mainLocaleOf(site))?.path
  const isShown = original !== undefined && locale !== rootLocaleOf(site)
  return localizedPath(isShown ? splitLocale(original, site).path : '/', locale, site)
}

/**
 * Date and short hash of the privacy statement in one language: `2026-11-21-3f9c0a12`. It changes with the text,
 * including the values of its placeholders.
 */
export async function privacyVersion(ctx: ReadContext, locale: Locale): Promise<string> {
  const { site } = ctx
  const page = await findLivePage(ctx, '/privacy-verklaring', locale)
  // The current year changes by itself and is not a change of the statement.
  const { year: _, ...placeholders } = placeholdersOf(site, locale, new Date(0))
  const shown = fillPlaceholders(JSON.stringify(withoutIds(page?.body ?? null)), placeholders)
  const hash = createHash('sha256').update(JSON.stringify([shown, site.brand, site.legal, site.contact.retentionDays]))
  return `${page?.updated}-${hash.digest('hex').slice(0, 8)}`
}

const slugOf = (path: string): string | undefined => (path.startsWith('/') ? path.slice(1) : undefined)

async function toLivePage(
  ctx: ReadContext,
  { pageId, collection, date, text, liveSlugs }: LiveRow,
  /** `reader`: the language of the page around the text. */
  found: { locale: Locale; reader: Locale; path: string },
): Promise<LivePage> {
  const { db, site } = ctx
  const withSections = await showSections(db, { locale: found.locale, main: mainLocaleOf(site) }, text.body)
  const { body, tags } = await showEntryLists(ctx, found.reader, withSections.body)
  const { sections } = withSections
  const { fields } = text
  const entry = collection === null ? undefined : { collection, fields, locale: found.reader, pageId }
  return {
    ...text,
    body,
    sections,
    listTags: tags,
    id: pageId,
    ...(entry && { collection: await loadEntryView(ctx, entry) }),
    path: found.path,
    updated: date,
    contentLocale: found.locale,
    alternates: site.locales.flatMap((locale) => {
      const own = liveSlugs.find((one) => one.locale === locale)
      return own ? [{ locale, path: localizedPath(`/${own.slug}`, locale, site) }] : []
    }),
  }
}

/** A sitemap URL, with the URLs of the same page in all languages, including its own. */
export interface SitemapEntry {
  path: string
  updated: string
  alternates: { locale: Locale; path: string }[]
}

/** The number of sitemap URLs. */
export const countSitemapEntries = ({ db, site }: Pick<Context, 'db' | 'site'>): Promise<number> =>
  countSitemapRows(db, site)

/** A slice of the sitemap URLs, ordered by page. */
export async function listSitemapEntries(
  { db, site }: Pick<Context, 'db' | 'site'>,
  { offset, limit }: { offset: number; limit: number },
): Promise<SitemapEntry[]> {
  // More rows at each end, because a page's languages may be split across the boundary.
  const more = site.locales.length - 1
  const before = Math.min(offset, more)
  const rows = await listSitemapRows(db, site, { offset: offset - before, limit: limit + before + more })
  const pathsOf = Map.groupBy(rows, ({ pageId }) => pageId)
  const pathOf = pathIn(site)
  return rows.slice(before, before + limit).map((row) => ({
    path: pathOf(row),
    updated: row.date,
    alternates: (pathsOf.get(row.pageId) ?? []).map((one) => ({ locale: one.locale, path: pathOf(one) })),
  }))
}

/** The overviews that have entries. */
export async function listOverviewEntries({ db, site }: Pick<Context, 'db' | 'site'>): Promise<SitemapEntry[]> {
  const dates = await listOverviewDates(db)
  return (site.collections ?? []).flatMap((collection) => {
    const shown = dates.filter((one) => one.collection === collection.id && site.locales.includes(one.locale))
    const alternates = shown.map(({ locale }) => ({
      locale,
      path: pathIn(site)({ slug: collectionSlug(collection, locale), locale }),
    }))
    return shown.map(({ date }, index) => ({ path: alternates[index]?.path ?? '', updated: date, alternates }))
  })
}

const pathIn =
  (site: ReadContext['site']) =>
  ({ slug, locale }: { slug: string; locale: Locale }) =>
    localizedPath(`/${slug}`, locale, site)
