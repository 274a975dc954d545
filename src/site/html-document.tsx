import type { ReactNode } from 'react'
import type { Scene, Sheet } from '../blocks/define-block.ts'
import { rawHtml } from '../blocks/raw-html.ts'
import { shapes } from '../blocks/shapes.ts'
import { defaultLocale, direction, type Locale, localized, localizedPath } from '../contract/locales.ts'
import { coloursOf } from '../contract/palette.ts'
import { headScript } from './head-script.ts'
import { iconUrl } from './logo.ts'
import type { Alternate } from './page-to-render.ts'
import { siteFooter } from './site-footer.tsx'
import { siteHeader } from './site-header.tsx'
import { siteStyle } from './site-style.ts'

export interface DocumentHead {
  title: string
  description: string
  /** `undefined` for a page that search engines leave alone. */
  canonical: string | undefined
  alternates: readonly Alternate[]
  origin: string
  /** For cards, in place of the site's own. */
  picture?: { url: string; width?: number; height?: number } | undefined
  /** The parts of the stylesheet that what stands in the page needs. */
  sheets: readonly Sheet[]
  /** JSON-LD, already safe to stand in a script element. */
  data: string | undefined
  /** Addresses of modules beside the one that every page has. */
  scripts?: readonly string[]
  /** Without any script. */
  still?: boolean
  /** What is said of the page itself, in the language of who reads it. */
  notice?: Notice | undefined
}

/** A line about a page that is none of its own words. */
export interface Notice {
  locale: Locale
  text: string
}

export function htmlDocument(scene: Scene, head: DocumentHead, main: ReactNode): ReactNode {
  const { locale, site, t } = scene
  return (
    <html lang={locale} dir={direction[locale]}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        {head.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          indexing(scene, head, head.canonical)
        )}
        {rawHtml('style', {}, siteStyle(site, locale, head.sheets).css)}
        {!head.still && rawHtml('script', {}, headScript.code)}
        <meta name="theme-color" content={site.palette.light} media="(prefers-color-scheme: light)" />
        <meta
          name="theme-color"
          content={coloursOf(site.palette, 'dark').ground}
          media="(prefers-color-scheme: dark)"
        />
        <link rel="icon" href={iconUrl(site)} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {head.scripts?.map((url) => (
          <script key={url} type="module" src={url} />
        ))}
        {head.data && rawHtml('script', { type: 'application/ld+json' }, head.data)}
      </head>
      <body>
        <a className="skip" href="#inhoud">
          {t('site.skipToContent')}
        </a>
        {head.notice && (
          <p className="preview" role="note" lang={head.notice.locale} dir={direction[head.notice.locale]}>
            {head.notice.text}
          </p>
        )}
        {rawHtml('svg', { className: 'shapes', width: 0, height: 0, 'aria-hidden': true }, shapes)}
        {siteHeader(scene, head.alternates)}
        {main}
        {siteFooter(scene)}
      </body>
    </html>
  )
}

function indexing(scene: Scene, head: DocumentHead, canonical: string): ReactNode {
  const { locale, site } = scene
  const keywords = localized(site.seo.keywords, locale).value.join(', ')
  const properties = {
    'og:type': 'website',
    'og:site_name': site.brand,
    'og:title': head.title,
    'og:description': head.description,
    'og:url': canonical,
    'og:locale': locale === defaultLocale ? 'nl_NL' : 'fa_IR',
    ...pictureProperties(
      head.picture ?? { url: localizedPath('/opengraph.png', locale), width: 1200, height: 630 },
      head.origin,
    ),
  }
  return (
    <>
      {scene.path === '/' && keywords && <meta name="keywords" content={keywords} />}
      <link rel="canonical" href={canonical} />
      {head.alternates.length > 1 &&
        head.alternates.map(({ locale, path }) => (
          <link key={locale} rel="alternate" hrefLang={locale} href={head.origin + encodeURI(path)} />
        ))}
      {head.alternates.length > 1 && (
        <link
          rel="alternate"
          hrefLang="x-default"
          href={head.origin + encodeURI(head.alternates.find(({ locale }) => locale === defaultLocale)?.path ?? '/')}
        />
      )}
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

const pictureProperties = (
  { url, width, height }: { url: string; width?: number; height?: number },
  origin: string,
): Record<string, string> => ({
  'og:image': origin + url,
  ...(width !== undefined && { 'og:image:width': String(width) }),
  ...(height !== undefined && { 'og:image:height': String(height) }),
})
