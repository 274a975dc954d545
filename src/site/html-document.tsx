import type { ReactNode } from 'react'
import type { Scene, Sheet } from '../blocks/define-block.ts'
import { rawHtml } from '../blocks/raw-html.ts'
import { defaultLocale, direction, localized, localizedPath } from '../contract/locales.ts'
import { headScript } from './head-script.ts'
import { inlineLogo } from './logo.ts'
import type { Alternate } from './page-to-render.ts'
import { coloursOf } from './palette.ts'
import { shapes } from './shapes.ts'
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
  /** The parts of the stylesheet that what stands in the page needs. */
  sheets: readonly Sheet[]
  /** JSON-LD, already safe to stand in a script element. */
  data: string | undefined
  /** Addresses of modules beside the one that every page has. */
  scripts?: readonly string[]
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
        {rawHtml('script', {}, headScript.code)}
        <meta name="theme-color" content={site.palette.light} media="(prefers-color-scheme: light)" />
        <meta
          name="theme-color"
          content={coloursOf(site.palette, 'dark').ground}
          media="(prefers-color-scheme: dark)"
        />
        {/* Without a logo in the page itself: as an SVG that the page shows anyway it costs no second request. */}
        <link
          rel="icon"
          href={inlineLogo(site) ?? (scene.logoUrl.endsWith('.svg') ? scene.logoUrl : '/favicon.svg')}
          type="image/svg+xml"
        />
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
    'og:image': head.origin + localizedPath('/opengraph.png', locale),
    'og:image:width': '1200',
    'og:image:height': '630',
  }
  return (
    <>
      {scene.path === '/' && keywords && <meta name="keywords" content={keywords} />}
      <link rel="canonical" href={canonical} />
      {head.alternates.length > 1 &&
        head.alternates.map(({ locale, path }) => (
          <link key={locale} rel="alternate" hrefLang={locale} href={head.origin + path} />
        ))}
      {head.alternates.length > 1 && (
        <link
          rel="alternate"
          hrefLang="x-default"
          href={head.origin + (head.alternates.find(({ locale }) => locale === defaultLocale)?.path ?? '/')}
        />
      )}
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
