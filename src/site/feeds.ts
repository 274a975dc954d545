import { htmlToText, toSingleLine } from '../blocks/block-texts.ts'
import { escapeHtml } from '../blocks/render-text.tsx'
import { type Collection, type FeedType, feedPath, overviewPath, type ShownValue } from '../contract/collections.ts'
import { imageKey } from '../contract/file-urls.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders, placeholdersOf } from '../contract/placeholders.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import { loadFeed } from '../domain/pages/entry-lists.ts'
import {
  countSitemapEntries,
  listOverviewEntries,
  listSitemapEntries,
  type SitemapEntry,
} from '../domain/pages/find-live-page.ts'
import type { Context } from '../platform/context.ts'

type SitemapContext = Pick<Context, 'db' | 'site' | 'origin'>

/** Renders the sitemap: the indexed pages with their alternates, or an index of sitemap files if they are too many. */
export async function sitemap(ctx: SitemapContext, maxUrls: number = limits.sitemapUrls): Promise<string> {
  const count = await countSitemapEntries(ctx)
  if (count <= maxUrls) return firstUrlSet(ctx, maxUrls)
  const numbers = Array.from({ length: Math.ceil(count / maxUrls) }, (_, index) => index + 1)
  return xmlDocument([
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...numbers.map((number) => `<sitemap><loc>${escapedUrl(ctx, `/sitemap-${number}.xml`)}</loc></sitemap>`),
    '</sitemapindex>',
  ])
}

/** Renders a file of the sitemap index; undefined when it does not exist. @param number counted from 1 */
export async function sitemapFile(
  ctx: SitemapContext,
  number: number,
  maxUrls: number = limits.sitemapUrls,
): Promise<string | undefined> {
  const count = await countSitemapEntries(ctx)
  if (count <= maxUrls || number < 1 || number > Math.ceil(count / maxUrls)) return undefined
  if (number === 1) return firstUrlSet(ctx, maxUrls)
  return urlSet(ctx, await listSitemapEntries(ctx, { offset: (number - 1) * maxUrls, limit: maxUrls }))
}

/** The overviews, for which `limits.sitemapUrls` leaves room in a file, and the first pages. */
const firstUrlSet = async (ctx: SitemapContext, limit: number): Promise<string> =>
  urlSet(ctx, [...(await listOverviewEntries(ctx)), ...(await listSitemapEntries(ctx, { offset: 0, limit }))])

function urlSet(ctx: SitemapContext, entries: readonly SitemapEntry[]): string {
  return xmlDocument([
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries.map(({ path, updated, alternates }) => {
      const links = alternates.map(
        ({ locale, path }) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${escapedUrl(ctx, path)}"/>`,
      )
      return `<url><loc>${escapedUrl(ctx, path)}</loc><lastmod>${updated}</lastmod>${links.join('')}</url>`
    }),
    '</urlset>',
  ])
}

const xmlDocument = (lines: string[]) => ['<?xml version="1.0" encoding="UTF-8"?>', ...lines, ''].join('\n')
const escapedUrl = ({ origin }: SitemapContext, path: string) => escapeHtml(`${origin}${encodeURI(path)}`)

/** Renders `robots.txt`. */
export function robots(origin: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    // Rules match prefixes: `/admin` alone would also match a page such as `/administratie`.
    ...['/admin', '/user'].flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}?`, `Disallow: ${path}/`]),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

type FeedContext = Pick<Context, 'db' | 'site' | 'origin' | 'now' | 'publicImages'>

/** Renders the newest entries of a collection in one language, as Atom (`xml`) or JSON Feed, with its cache tags. */
export async function renderFeed(
  ctx: FeedContext,
  { collection, type }: { collection: Collection; type: FeedType },
  locale: Locale,
): Promise<{ body: string; tags: string[] }> {
  const { site, origin } = ctx
  const { entries, tags } = await loadFeed(ctx, collection, locale)
  const { images } = await findShownFiles(ctx, [entries])
  const fill = (text: string, textLocale: Locale) =>
    removeInvalidXmlChars(fillPlaceholders(text, placeholdersOf(site, textLocale, ctx.now(), '')))
  const name = localized(collection.name, locale)
  const intro = collection.intro && localized(collection.intro, locale)
  // Tag URIs (RFC 4151): ids change with the host of the site, but not with the path of a feed or an entry.
  const tagUri = `tag:${new URL(origin).hostname},2026:${collection.id}`
  const lastUpdated = entries
    .map(({ updated }) => updated)
    .sort()
    .at(-1)
  const { Feed } = await import('feed')
  const feed = new Feed({
    id: `${tagUri}:${locale}`,
    title: fill(`${name.value} | ${site.brand}`, name.locale),
    ...(intro && { description: fill(intro.value, intro.locale) }),
    link: origin + overviewPath(site, collection, locale),
    language: locale,
    generator: false,
    author: { name: removeInvalidXmlChars(site.brand), link: `${origin}/` },
    updated: new Date(lastUpdated ?? 0),
    feedLinks: {
      atom: origin + feedPath(site, collection, locale, 'xml'),
      json: origin + feedPath(site, collection, locale, 'json'),
    },
  })
  for (const entry of entries) {
    const title = fill(entry.title, entry.locale)
    const image = entry.values.find(({ field }) => field.type === 'picture')
    const src = image && (images.get(imageKey(String(image.value)))?.src || String(image.value))
    const firstText = entry.values.find(({ field }) => field.type === 'text' || field.type === 'richText')
    const summary = entry.description || (firstText ? toSingleLine(plainTextOf(firstText)) : '')
    feed.addItem({
      id: `${tagUri}:${entry.pageId}:${locale}`,
      // A title is HTML in Atom, and text in JSON Feed.
      title: type === 'xml' ? escapeHtml(title) : title,
      link: origin + entry.path,
      ...(entry.author && { author: [{ name: removeInvalidXmlChars(entry.author) }] }),
      date: new Date(entry.updated),
      published: new Date(entry.date),
      // JSON Feed requires content, so the title replaces a missing summary.
      description: escapeHtml(summary ? fill(summary, entry.locale) : title),
      ...(src?.startsWith('/') && { image: origin + src }),
    })
  }
  return { body: type === 'xml' ? feed.atom1() : feed.json1(), tags }
}

const plainTextOf = ({ field, value }: ShownValue) =>
  field.type === 'richText' ? htmlToText(String(value)) : String(value)

/** Removes the control characters and noncharacters that XML does not allow or discourages, and replaces lone surrogates. */
const removeInvalidXmlChars = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')

/** The validity in months; RFC 9116 recommends less than a year. */
const monthsValid = 6

/** Renders `security.txt` (RFC 9116). It expires at the start of a month, so that it rarely changes. */
export function securityTxt({ site, origin, now }: Pick<Context, 'site' | 'origin' | 'now'>): string {
  const today = now()
  const expires = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + monthsValid + 1, 1))
  return [
    `Contact: mailto:${site.legal.email}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${[...new Set([...site.locales, 'en'])].join(', ')}`,
    ...(origin.startsWith('https://') ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
    '',
  ].join('\n')
}
