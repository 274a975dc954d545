import { localizedPath } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { listPages } from '../domain/pages/find-page.ts'

/** Every page in every language that it has a text in, each naming the others. */
export function sitemap(site: SiteConfig, origin: string): string {
  const address = (path: string) => escapeXml(`${origin}${encodeURI(path)}`)
  const entries = listPages(site).flatMap((page) =>
    page.locales.map((locale) => {
      const others = page.locales.map(
        (other) =>
          `<xhtml:link rel="alternate" hreflang="${other}" href="${address(localizedPath(page.path, other))}"/>`,
      )
      return `<url><loc>${address(localizedPath(page.path, locale))}</loc><lastmod>${page.updated}</lastmod>${others.join('')}</url>`
    }),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}

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
