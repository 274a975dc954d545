import { textOfHtml, toLine } from '../blocks/block-texts.ts'
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

/** All indexed pages with their language versions; an index of sitemap files when there are too many for one. */
export async function sitemap(ctx: SitemapContext, most: number = limits.sitemapUrls): Promise<string> {
  const count = await countSitemapEntries(ctx)
  if (count <= most) return firstUrlSet(ctx, most)
  const parts = Array.from({ length: Math.ceil(count / most) }, (_, index) => index + 1)
  return lines([
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...parts.map((part) => `<sitemap><loc>${address(ctx, `/sitemap-${part}.xml`)}</loc></sitemap>`),
    '</sitemapindex>',
  ])
}

/** One of several sitemap files; undefined when it does not exist. @param part from one */
export async function sitemapPart(
  ctx: SitemapContext,
  part: number,
  most: number = limits.sitemapUrls,
): Promise<string | undefined> {
  const count = await countSitemapEntries(ctx)
  if (count <= most || part < 1 || part > Math.ceil(count / most)) return undefined
  if (part === 1) return firstUrlSet(ctx, most)
  return urlSet(ctx, await listSitemapEntries(ctx, { offset: (part - 1) * most, limit: most }))
}

/** The overviews, which are few, and the first pages. */
const firstUrlSet = async (ctx: SitemapContext, limit: number): Promise<string> =>
  urlSet(ctx, [...(await listOverviewEntries(ctx)), ...(await listSitemapEntries(ctx, { offset: 0, limit }))])

function urlSet(ctx: SitemapContext, list: readonly SitemapEntry[]): string {
  return lines([
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...list.map(({ path, updated, alternates }) => {
      const others = alternates.map(
        (other) => `<xhtml:link rel="alternate" hreflang="${other.locale}" href="${address(ctx, other.path)}"/>`,
      )
      return `<url><loc>${address(ctx, path)}</loc><lastmod>${updated}</lastmod>${others.join('')}</url>`
    }),
    '</urlset>',
  ])
}

const lines = (list: string[]) => ['<?xml version="1.0" encoding="UTF-8"?>', ...list, ''].join('\n')
const address = ({ origin }: SitemapContext, path: string) => escapeHtml(`${origin}${encodeURI(path)}`)

export function robots(origin: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    // Without an end, a rule would also match a page such as `/administratie`.
    ...['/admin', '/user'].flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}?`, `Disallow: ${path}/`]),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

type FeedContext = Pick<Context, 'db' | 'site' | 'origin' | 'now' | 'publicImages'>

/** The newest published entries of a collection in one language, as Atom or as JSON Feed. */
export async function renderFeed(
  ctx: FeedContext,
  { collection, type }: { collection: Collection; type: FeedType },
  locale: Locale,
): Promise<{ body: string; tags: string[] }> {
  const { site, origin } = ctx
  const { entries, tags } = await loadFeed(ctx, collection, locale)
  const { images } = await findShownFiles(ctx, [entries])
  const plain = (text: string, one: Locale) =>
    withoutControls(fillPlaceholders(text, placeholdersOf(site, one, ctx.now(), '')))
  const name = localized(collection.name, locale)
  const intro = collection.intro && localized(collection.intro, locale)
  // Ids stay when the feed or an entry moves to another path; they change with the host of the site.
  const tag = `tag:${new URL(origin).hostname},2026:${collection.id}`
  const { Feed } = await import('feed')
  const feed = new Feed({
    id: `${tag}:${locale}`,
    title: plain(`${name.value} | ${site.brand}`, name.locale),
    ...(intro && { description: plain(intro.value, intro.locale) }),
    link: origin + overviewPath(site, collection, locale),
    language: locale,
    generator: false,
    author: { name: withoutControls(site.brand), link: `${origin}/` },
    updated: new Date(
      entries
        .map(({ updated }) => updated)
        .sort()
        .at(-1) ?? 0,
    ),
    feedLinks: {
      atom: origin + feedPath(site, collection, locale, 'xml'),
      json: origin + feedPath(site, collection, locale, 'json'),
    },
  })
  for (const entry of entries) {
    const title = plain(entry.title, entry.locale)
    const image = entry.values.find(({ field }) => field.type === 'picture')
    const src = image && (images.get(imageKey(String(image.value)))?.src || String(image.value))
    const first = entry.values.find(({ field }) => field.type === 'text' || field.type === 'richText')
    const summary = entry.description || (first ? toLine(plainTextOf(first)) : '')
    feed.addItem({
      id: `${tag}:${entry.pageId}:${locale}`,
      // A title is HTML in Atom, and text in JSON Feed.
      title: type === 'xml' ? escapeHtml(title) : title,
      link: origin + entry.path,
      ...(entry.author && { author: [{ name: withoutControls(entry.author) }] }),
      date: new Date(entry.updated),
      published: new Date(entry.date),
      // JSON Feed requires content, so the title replaces a missing summary.
      description: escapeHtml(summary ? plain(summary, entry.locale) : title),
      ...(src?.startsWith('/') && { image: origin + src }),
    })
  }
  return { body: type === 'xml' ? feed.atom1() : feed.json1(), tags }
}

const plainTextOf = ({ field, value }: ShownValue) =>
  field.type === 'richText' ? textOfHtml(String(value)) : String(value)

/** Removes characters that XML does not allow, and lone surrogates. */
const withoutControls = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')

/** The validity in months; RFC 9116 recommends less than a year. */
const monthsValid = 6

/** `security.txt` (RFC 9116): where to report a vulnerability, from the legal identity of the company. */
export function securityTxt({ site, origin, now }: Pick<Context, 'site' | 'origin' | 'now'>): string {
  const at = now()
  const expires = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsValid + 1, 1))
  return [
    `Contact: mailto:${site.legal.email}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${[...new Set([...site.locales, 'en'])].join(', ')}`,
    ...(origin.startsWith('https://') ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
    '',
  ].join('\n')
}
