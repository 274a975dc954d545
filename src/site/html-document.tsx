import { createHash } from 'node:crypto'
import { firstPaint, formCheckUrl, suggestUrl } from 'virtual:client-assets'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { RenderContext, Stylesheet } from '../blocks/define-block.ts'
import { rawHtml } from '../blocks/render-text.tsx'
import { shapes } from '../blocks/shapes.ts'
import { type Alternate, renderSiteFooter, renderSiteHeader } from '../blocks/site-areas.tsx'
import {
  contentDirection,
  intlTagOf,
  type Locale,
  localized,
  localizedPath,
  rootLocaleOf,
} from '../contract/locales.ts'
import { coloursOf } from '../contract/palette.ts'
import { searchPath } from '../contract/site-search.ts'
import { iconUrl } from './logo.ts'
import { siteStyle } from './site-style.ts'

/** What the document around the content of a page is rendered from. */
export interface DocumentHead {
  title: string
  description: string
  /** The canonical URL; `undefined`: the page gets `noindex`. */
  canonical: string | undefined
  /** The page in each language, for the language switch. */
  alternates: readonly Alternate[]
  /** Origin of the site, without a trailing slash. */
  origin: string
  /** The image for link previews; omitted: that of the site. */
  image?: { url: string; width?: number; height?: number } | undefined
  /** The inline stylesheet parts. */
  stylesheets: readonly Stylesheet[]
  /** The stylesheet parts in a linked stylesheet, whose link is in the content. */
  linkedStylesheets?: readonly Stylesheet[]
  /** JSON-LD, escaped for a script element. */
  jsonLd: string | undefined
  /** URLs of additional script modules. */
  scripts?: readonly string[]
  /** Omits the inline script, which also loads the other scripts of the site. */
  withoutScripts?: boolean
  /** The feeds of the page's collection; `type` is the media type. */
  feeds?: readonly { type: string; title: string; url: string }[] | undefined
  notice?: Notice | undefined
  /** The URL of the page's editor, for a viewer who may edit it. */
  editUrl?: string | undefined
}

/** A notice above the page, such as that it is a preview. */
export interface Notice {
  /** The language of the text. */
  locale: Locale
  text: string
}

/** Renders a whole HTML document. @param main the `main` element */
export function renderDocument(context: RenderContext, head: DocumentHead, main: ReactNode): string {
  const html = `<!DOCTYPE html>${renderToStaticMarkup(htmlDocument(context, head, main))}`
  return context.blockCache ? context.blockCache.replaceMarkers(html) : html
}

function htmlDocument(context: RenderContext, head: DocumentHead, main: ReactNode): ReactNode {
  const { locale, site, t } = context
  return (
    <html lang={locale} dir={contentDirection(site, locale)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        {head.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          renderIndexingTags(context, head, head.canonical)
        )}
        {rawHtml('style', {}, siteStyle(site, locale, head.stylesheets, head.linkedStylesheets).css)}
        {!head.withoutScripts && rawHtml('script', {}, headScript.code)}
        <meta name="theme-color" content={site.palette.light} media="(prefers-color-scheme: light)" />
        <meta
          name="theme-color"
          content={coloursOf(site.palette, 'dark').ground}
          media="(prefers-color-scheme: dark)"
        />
        <link rel="icon" href={iconUrl(site)} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {head.feeds?.map(({ type, title, url }) => (
          <link key={url} rel="alternate" type={type} title={title} href={url} />
        ))}
        {head.scripts?.map((url) => (
          <script key={url} type="module" src={url} />
        ))}
        {head.jsonLd && rawHtml('script', { type: 'application/ld+json' }, head.jsonLd)}
      </head>
      <body data-suggest={hasSearchField(context) ? suggestUrl : undefined} data-check={formCheckUrl}>
        <a className="skip" href="#inhoud">
          {t('site.skipToContent')}
        </a>
        {head.editUrl && (
          <aside className="edit-link" aria-label={t('site.forEditors')}>
            <a href={head.editUrl}>{t('site.editPage')}</a>
          </aside>
        )}
        {head.notice && (
          <p className="preview" role="note" lang={head.notice.locale} dir={contentDirection(site, head.notice.locale)}>
            {head.notice.text}
          </p>
        )}
        {rawHtml('svg', { className: 'shapes', width: 0, height: 0, 'aria-hidden': true }, shapes)}
        {renderSiteHeader(context, head.alternates)}
        {main}
        {renderSiteFooter(context)}
      </body>
    </html>
  )
}

/** The locale for Open Graph, which requires a region: `de_DE`. */
function openGraphLocale(locale: Locale): string {
  const cached = openGraphLocales.get(locale)
  if (cached !== undefined) return cached
  const { language, region } = new Intl.Locale(intlTagOf(locale)).maximize()
  const tag = region ? `${language}_${region}` : language
  openGraphLocales.set(locale, tag)
  return tag
}

const openGraphLocales = new Map<Locale, string>()

const hasSearchField = ({ site, path }: RenderContext) => site.look?.search === 'field' || path === searchPath

/** Renders the tags for search engines and link previews. */
function renderIndexingTags(context: RenderContext, head: DocumentHead, canonical: string): ReactNode {
  const { locale, site } = context
  const keywords = localized(site.seo.keywords, locale).value.join(', ')
  const properties = {
    'og:type': 'website',
    'og:site_name': site.brand,
    'og:title': head.title,
    'og:description': head.description,
    'og:url': canonical,
    'og:locale': openGraphLocale(locale),
    ...imageMetaTags(
      head.image ?? { url: localizedPath('/opengraph.png', locale, site), width: 1200, height: 630 },
      head.origin,
    ),
  }
  // A further page of an overview, and one of a category, have no alternates: their canonical URL is not among these.
  const alternates = head.alternates.map(({ locale, path }) => ({ locale, url: head.origin + encodeURI(path) }))
  const hasAlternates = alternates.length > 1 && alternates.some(({ url }) => url === canonical)
  const rootUrl = alternates.find((alternate) => alternate.locale === rootLocaleOf(site))?.url
  return (
    <>
      {context.path === '/' && keywords && <meta name="keywords" content={keywords} />}
      <link rel="canonical" href={canonical} />
      {hasAlternates &&
        alternates.map(({ locale, url }) => <link key={locale} rel="alternate" hrefLang={locale} href={url} />)}
      {hasAlternates && rootUrl && <link rel="alternate" hrefLang="x-default" href={rootUrl} />}
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

const imageMetaTags = (
  { url, width, height }: { url: string; width?: number; height?: number },
  origin: string,
): Record<string, string> => ({
  'og:image': origin + url,
  ...(width !== undefined && { 'og:image:width': String(width) }),
  ...(height !== undefined && { 'og:image:height': String(height) }),
})

/** The inline script of every page, and its hash for the Content-Security-Policy, including the quotes. */
export const headScript = {
  code: firstPaint,
  hash: `'sha256-${createHash('sha256').update(firstPaint).digest('base64')}'`,
}
