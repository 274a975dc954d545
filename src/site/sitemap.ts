import { limits } from '../contract/limits.ts'
import {
  countSitemapEntries,
  listOverviewEntries,
  listSitemapEntries,
  type SitemapEntry,
} from '../domain/pages/find-live-page.ts'
import type { Context } from '../platform/context.ts'

type Ctx = Pick<Context, 'db' | 'site' | 'origin'>

/** All indexed pages with their language versions; an index of sitemap files when there are too many for one. */
export async function sitemap(ctx: Ctx, most: number = limits.sitemapUrls): Promise<string> {
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
  ctx: Ctx,
  part: number,
  most: number = limits.sitemapUrls,
): Promise<string | undefined> {
  const count = await countSitemapEntries(ctx)
  if (count <= most || part < 1 || part > Math.ceil(count / most)) return undefined
  if (part === 1) return firstUrlSet(ctx, most)
  return urlSet(ctx, await listSitemapEntries(ctx, { offset: (part - 1) * most, limit: most }))
}

/** The overviews, which are few, and the first pages. */
const firstUrlSet = async (ctx: Ctx, limit: number): Promise<string> =>
  urlSet(ctx, [...(await listOverviewEntries(ctx)), ...(await listSitemapEntries(ctx, { offset: 0, limit }))])

function urlSet(ctx: Ctx, list: readonly SitemapEntry[]): string {
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
const address = ({ origin }: Ctx, path: string) => escapeXml(`${origin}${encodeURI(path)}`)

export function robots(origin: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    'Disallow: /user',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
