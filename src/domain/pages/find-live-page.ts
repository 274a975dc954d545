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
import { appendRest, encodeRest, normalizeTarget, splitTarget } from '../redirects/redirect-target.ts'
import { fillSections } from '../sections/shown-sections.ts'
import { type EntryView, findOverview, loadEntryView, type OverviewView } from './collection-view.ts'
import { listOverviewDates } from './entry.queries.ts'
import { fillEntryLists } from './entry-lists.ts'
import { countSitemapRows, findVisibleLiveRow, type LiveRow, listSitemapRows } from './live-page.queries.ts'

/** A live page in one language. */
export interface LivePage extends PageText {
  id: number
  /** The path without language prefix, such as `/` or `/disclaimer`. */
  path: string
  /** The date that the page shows. */
  updated: string
  /** The language of the content; the main one where a translation is missing. */
  contentLocale: Locale
  /** The path in each language in which the page is live, as in the address bar, not encoded. */
  alternates: { locale: Locale; path: string }[]
  /** The ids of the sections on the page; the blocks contain their content. */
  sections: string[]
  /** The cache tags of its lists of entries. */
  listTags?: string[]
  /** The data of a collection's entry or overview; omitted for other pages. */
  collection?: EntryView | OverviewView | undefined
}

type ReadContext = Pick<Context, 'db' | 'site'>

/**
 * The published page at a path without language prefix, such as `/disclaimer`, in one language. Or else the page with
 * this path in the main language: translated if possible, with another `path`, or else in the main language. At the
 * root only the home page falls back so: others may have moved from there to a prefix. After Dutch was removed, paths
 * in Dutch are found too, because older links are written with them.
 */
export async function findLivePage(ctx: ReadContext, path: string, locale: Locale): Promise<LivePage | undefined> {
  const slug = slugOf(path)
  if (slug === undefined || !ctx.site.locales.includes(locale)) return undefined
  const requested = await findVisibleLiveRow(ctx, locale, slug)
  if (requested) return toLivePage(ctx, requested, { locale, reader: locale, path })
  const { site } = ctx
  const [main, root] = [mainLocaleOf(site), rootLocaleOf(site)]
  const fallsBack = locale !== main && (slug === '' || locale !== root)
  const isDutchRemoved = slug !== '' && !site.locales.includes(defaultLocale)
  const textLocales = locale === root && !fallsBack ? [locale] : [locale, main]
  for (const pathLocale of [...(fallsBack ? [main] : []), ...(isDutchRemoved ? [defaultLocale] : [])]) {
    const page = await findVisibleLiveRow(ctx, pathLocale, slug)
    for (const textLocale of textLocales) {
      const translated = page?.liveSlugs.find((row) => row.locale === textLocale)
      const row = translated && (await findVisibleLiveRow(ctx, textLocale, translated.slug))
      if (row) return toLivePage(ctx, row, { locale: textLocale, reader: locale, path: `/${row.text.slug}` })
    }
  }
  return undefined
}

/**
 * The published page at a path, or else the overview of a collection there, as a page with id 0.
 * @param query the page number and the category of an overview
 */
export async function findLivePageOrOverview(
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
    alternates: ctx.site.locales.map((language) => ({
      locale: language,
      path: localizedPath(`/${collectionSlug(collection, language)}`, language, ctx.site),
    })),
    sections: [],
    collection: overview,
  }
}

/** Browsers stop after about this many redirects too. */
const maxRedirects = 20

/**
 * Follows the redirects from a path. Also leads old URLs of a language that was at the root to its prefix.
 * @returns an encoded path with query and fragment, or an external URL; undefined when the redirects end where
 * there is nothing, after `maxRedirects`, or in a loop, which those of two languages can form together
 * @param isServed whether the site serves something other than a page at an encoded path
 * @param seen the addresses that were followed already; the function adds to it
 */
export async function resolveRedirect(
  ctx: ReadContext & Pick<Context, 'origin'>,
  path: string,
  locale: Locale,
  isServed: (path: string) => Promise<boolean>,
  seen = new Set<string>(),
): Promise<string | undefined> {
  const seenAtStart = seen.size
  let current = { path, locale }
  // The query and fragment of the last target that has any.
  let rest = ''
  while (seen.size < maxRedirects) {
    const address = localizedPath(current.path, current.locale, ctx.site)
    if (seen.has(address)) return undefined
    const to = await findRedirectTarget(ctx, current)
    if (to === undefined) {
      const last = encodeURI(address)
      if (seen.size > seenAtStart && (await isServed(last))) return last + rest
      const isAtRoot = current.locale === rootLocaleOf(ctx.site)
      const formerRoot = isAtRoot ? await findFormerRootLocale(ctx, current.path) : undefined
      if (formerRoot === undefined) return undefined
      const movedTo = localizedPath(current.path, formerRoot, ctx.site)
      if (seen.has(movedTo)) return undefined
      const next = await resolveRedirect(ctx, current.path, formerRoot, isServed, seen.add(address))
      return (next ?? encodeURI(movedTo)) + rest
    }
    if (!to.startsWith('/')) return appendRest(to, rest)
    seen.add(address)
    const target = splitTarget(to)
    rest = encodeRest(target.rest) || rest
    current = splitLocale(target.path, ctx.site)
    const page = await findLivePage(ctx, current.path, current.locale)
    if (page) return encodeURI(localizedPath(page.path, current.locale, ctx.site)) + rest
  }
  return undefined
}

/** Whether the path is that of a deleted page which answers 410 (gone). */
export async function isGone(ctx: ReadContext, path: string, locale: Locale): Promise<boolean> {
  return (await findRedirectAt(ctx, path, locale))?.to === null
}

/** The redirect from a path with or without the language prefix. `isOwn`: false if only the address has the prefix. */
async function findRedirectAt({ db, site }: ReadContext, path: string, locale: Locale) {
  const address = localizedPath(path, locale, site)
  const redirect = await findRedirectFrom(db, ...new Set([address, prefixedPath(path, locale), path]))
  return redirect && { to: redirect.to, isOwn: redirect.from !== path || redirect.from === address }
}

/** A language that was at the root, and now has a page, overview, feed or redirect at this path below its prefix. */
async function findFormerRootLocale(ctx: ReadContext, path: string): Promise<Locale | undefined> {
  const { db, site } = ctx
  const slug = slugOf(path)
  if (slug === undefined) return undefined
  for (const locale of new Set([defaultLocale, ...(site.formerRootLocales ?? [])])) {
    if (locale === rootLocaleOf(site) || !site.locales.includes(locale)) continue
    const hasSomethingAt =
      collectionAt(site, slug, locale) ||
      feedAt(site, path, locale) ||
      (await findVisibleLiveRow(ctx, locale, slug)) ||
      (await findRedirectFrom(db, localizedPath(path, locale, site)))
    if (hasSomethingAt) return locale
  }
  return undefined
}

/** The target of the redirect from a path, in the language of the reader; undefined for none, or for a gone page. */
async function findRedirectTarget(
  ctx: ReadContext & Pick<Context, 'origin'>,
  { path, locale }: { path: string; locale: Locale },
): Promise<string | undefined> {
  const redirect = await findRedirectAt(ctx, path, locale)
  if (!redirect || redirect.to === null) return undefined
  const to = redirect.to.startsWith('/') ? redirect.to : (normalizeTarget(redirect.to, ctx.origin) ?? redirect.to)
  // Links are written with paths in the main language, older ones in Dutch, on pages of every language.
  return redirect.isOwn ? to : withPrefix(ctx, to, locale)
}

/** A target with the prefix of a language, unless it has the prefix of another or is an external URL. */
function withPrefix({ site }: ReadContext, to: string, locale: Locale): string {
  const { path, rest } = splitTarget(to)
  const isAtRoot = path.startsWith('/') && splitLocale(path, site).locale === rootLocaleOf(site)
  return isAtRoot ? localizedPath(path, locale, site) + rest : to
}

/** The path of a page in a language, or else the path in the main language below the prefix, or else the home page. */
export function pathInLocale({ site }: Pick<Context, 'site'>, page: LivePage, locale: Locale): string {
  const translated = page.alternates.find((alternate) => alternate.locale === locale)?.path
  if (translated) return translated
  const original = page.alternates.find((alternate) => alternate.locale === mainLocaleOf(site))?.path
  const hasFallback = original !== undefined && locale !== rootLocaleOf(site)
  return localizedPath(hasFallback ? splitLocale(original, site).path : '/', locale, site)
}

/**
 * Identifies the wording of the privacy statement in one language by date and hash: `2026-11-21-3f9c0a12`. It changes
 * with the text, including the values of its placeholders.
 */
export async function readPrivacyVersion(ctx: ReadContext, locale: Locale): Promise<string> {
  const { site } = ctx
  const page = await findLivePage(ctx, '/privacy-verklaring', locale)
  // The current year changes by itself and is not a change of the statement.
  const { year: _, ...placeholders } = placeholdersOf(site, locale, new Date(0))
  const text = fillPlaceholders(JSON.stringify(withoutIds(page?.body ?? null)), placeholders)
  const hash = createHash('sha256').update(JSON.stringify([text, site.brand, site.legal, site.contact.retentionDays]))
  return `${page?.updated}-${hash.digest('hex').slice(0, 8)}`
}

const slugOf = (path: string): string | undefined => (path.startsWith('/') ? path.slice(1) : undefined)

async function toLivePage(
  ctx: ReadContext,
  { pageId, collection, date, text, liveSlugs }: LiveRow,
  /** `locale` is the language of the text, `reader` that of the page around it. */
  { locale, reader, path }: { locale: Locale; reader: Locale; path: string },
): Promise<LivePage> {
  const { db, site } = ctx
  const withSections = await fillSections(db, { locale, main: mainLocaleOf(site) }, text.body)
  const { body, tags } = await fillEntryLists(ctx, reader, withSections.body)
  const { sections } = withSections
  const { fields } = text
  const entry = collection === null ? undefined : { collection, fields, locale: reader, pageId }
  return {
    ...text,
    body,
    sections,
    listTags: tags,
    id: pageId,
    ...(entry && { collection: await loadEntryView(ctx, entry) }),
    path,
    updated: date,
    contentLocale: locale,
    alternates: site.locales.flatMap((language) => {
      const live = liveSlugs.find((row) => row.locale === language)
      return live ? [{ locale: language, path: localizedPath(`/${live.slug}`, language, site) }] : []
    }),
  }
}

/** A path in the sitemap, with the paths of the same page in all languages, including this one. */
export interface SitemapEntry {
  path: string
  updated: string
  alternates: { locale: Locale; path: string }[]
}

/** The number of pages in the sitemap, each language counted. */
export const countSitemapEntries = ({ db, site }: Pick<Context, 'db' | 'site'>): Promise<number> =>
  countSitemapRows(db, site)

/** A range of the pages in the sitemap, ordered by page. */
export async function listSitemapEntries(
  { db, site }: Pick<Context, 'db' | 'site'>,
  { offset, limit }: { offset: number; limit: number },
): Promise<SitemapEntry[]> {
  // More rows are read at each end, because a page's languages may be split across the boundary.
  const margin = site.locales.length - 1
  const marginBefore = Math.min(offset, margin)
  const rows = await listSitemapRows(db, site, { offset: offset - marginBefore, limit: limit + marginBefore + margin })
  const rowsOfPage = Map.groupBy(rows, ({ pageId }) => pageId)
  return rows.slice(marginBefore, marginBefore + limit).map((row) => ({
    path: pathOfSlug(site, row),
    updated: row.date,
    alternates: (rowsOfPage.get(row.pageId) ?? []).map((row) => ({ locale: row.locale, path: pathOfSlug(site, row) })),
  }))
}

/** The overviews that have entries, as pages in the sitemap. */
export async function listOverviewEntries({ db, site }: Pick<Context, 'db' | 'site'>): Promise<SitemapEntry[]> {
  const dates = await listOverviewDates(db)
  return (site.collections ?? []).flatMap((collection) => {
    const overviews = dates.filter((row) => row.collection === collection.id && site.locales.includes(row.locale))
    const alternates = overviews.map(({ locale }) => ({
      locale,
      path: pathOfSlug(site, { slug: collectionSlug(collection, locale), locale }),
    }))
    return overviews.map(({ date }, index) => ({ path: alternates[index]?.path ?? '', updated: date, alternates }))
  })
}

const pathOfSlug = (site: ReadContext['site'], { slug, locale }: { slug: string; locale: Locale }): string =>
  localizedPath(`/${slug}`, locale, site)
