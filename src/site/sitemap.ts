import { limits } from '../contract/limits.ts'
import { countAddresses, type ListedAddress, listAddresses } from '../domain/pages/list-addresses.ts'
import type { Context } from '../platform/context.ts'

type Ctx = Pick<Context, 'db' | 'site' | 'origin'>

/**
 * Every page in every language that it has a text in, each naming the others; when they are more than one file may hold,
 * where the parts are.
 */
export async function sitemap(ctx: Ctx, most: number = limits.sitemapUrls): Promise<string> {
  const count = await countAddresses(ctx)
  if (count <= most) return urlSet(ctx, await listAddresses(ctx, { offset: 0, limit: most }))
  const parts = Array.from({ length: Math.ceil(count / most) }, (_, index) => index + 1)
  return lines([
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...parts.map((part) => `<sitemap><loc>${address(ctx, `/sitemap-${part}.xml`)}</loc></sitemap>`),
    '</sitemapindex>',
  ])
}

/** One of several; undefined when there are not so many. @param part from one */
export async function sitemapPart(
  ctx: Ctx,
  part: number,
  most: number = limits.sitemapUrls,
): Promise<string | undefined> {
  const count = await countAddresses(ctx)
  if (count <= most || part < 1 || part > Math.ceil(count / most)) return undefined
  return urlSet(ctx, await listAddresses(ctx, { offset: (part - 1) * most, limit: most }))
}

function urlSet(ctx: Ctx, list: readonly ListedAddress[]): string {
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
