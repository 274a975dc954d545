import { createHash } from 'node:crypto'
import { firstPaint, formCheckUrl, suggestUrl } from 'virtual:client-assets'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { RenderContext, Stylesheet } from '../blocks/define-block.ts'
import { rawHtml } from '../blocks/render-text.tsx'
import { shapes } from '../blocks/shapes.ts'
import { type Alternate, siteFooter, siteHeader } from '../blocks/site-areas.tsx'
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

export interface DocumentHead {
  title: string
  description: string
  /** `undefined` for a page that is not indexed. */
  canonical: string | undefined
  alternates: readonly Alternate[]
  origin: string
  /** The image for link previews; omitted: the site's. */
  image?: { url: string; width?: number; height?: number } | undefined
  /** The inline stylesheet parts. */
  stylesheets: readonly Stylesheet[]
  /** The parts in a stylesheet that the page links. */
  linkedStylesheets?: readonly Stylesheet[]
  /** JSON-LD, escaped for a script element. */
  data: string | undefined
  /** URLs of additional script modules. */
  scripts?: readonly string[]
  /** Omits all scripts. */
  withoutScripts?: boolean
  /** The feeds of its collection. */
  feeds?: readonly { type: string; title: string; url: string }[] | undefined
  /** A notice about the page, in the reader's language. */
  notice?: Notice | undefined
  /** The editor of the page, for a reader who may use it. */
  editUrl?: string | undefined
}

/** A notice outside the content of the page. */
export interface Notice {
  locale: Locale
  text: string
}

/** @returns the HTML of a whole document */
export function renderDocument(context: RenderContext, head: DocumentHead, main: ReactNode): string {
  const html = `<!DOCTYPE html>${renderToStaticMarkup(htmlDocument(context, head, main))}`
  return context.shared ? context.shared.fill(html) : html
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
          indexing(context, head, head.canonical)
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
        {head.data && rawHtml('script', { type: 'application/ld+json' }, head.data)}
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
        {siteHeader(context, head.alternates)}
        {main}
        {siteFooter(context)}
      </body>
    </html>
  )
}

/** Open Graph wants a language with its region: `de_DE`. */
function openGraphLocale(locale: Locale): string {
  const known = openGraphLocales.get(locale)
  if (known !== undefined) return known
  const { language, region } = new Intl.Locale(intlTagOf(locale)).maximize()
  const made = region ? `${language}_${region}` : language
  openGraphLocales.set(locale, made)
  return made
}

const openGraphLocales = new Map<Locale, string>()

const hasSearchField = ({ site, path }: RenderContext) => site.look?.search === 'field' || path === searchPath

function indexing(context: RenderContext, head: DocumentHead, canonical: string): ReactNode {
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
  // Another page of an overview, and one of a category, have no counterpart in other languages.
  const alternates = head.alternates.map(({ locale, path }) => ({ locale, url: head.origin + encodeURI(path) }))
  const hasAlternates = alternates.length > 1 && alternates.some(({ url }) => url === canonical)
  const rootUrl = alternates.find((one) => one.locale === rootLocaleOf(site))?.url
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
