import { formStepsUrl } from 'virtual:client-assets'
import { areaBlocks, formsOn, hasMainHeading, splitStylesheets, stylesheetsOf } from '../blocks/block-contents.ts'
import type { RenderContext, Stylesheet } from '../blocks/define-block.ts'
import { illustrationOf } from '../blocks/illustrations.ts'
import { renderBody } from '../blocks/registry.ts'
import { langAttributes, localizedLink, rawHtml } from '../blocks/render-text.tsx'
import type { Alternate } from '../blocks/site-areas.tsx'
import { feedPath, feedTypes, overviewPath } from '../contract/collections.ts'
import { imageKey } from '../contract/file-urls.ts'
import { longDate } from '../contract/intl-formats.ts'
import { type Locale, localizeDigits, localized, localizedPath } from '../contract/locales.ts'
import { fillPlaceholders } from '../contract/placeholders.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import { breadcrumbs, entryParts, neighbours, overviewParts } from './collection-parts.tsx'
import { type DocumentHead, type Notice, renderDocument } from './html-document.tsx'
import type { PageContent } from './render-context.ts'
import { commonStylesheets } from './site-style.ts'
import { structuredData } from './structured-data.ts'

/** Renders a whole HTML page. */
export function renderPage(input: {
  context: RenderContext
  page: PageContent
  alternates: readonly Alternate[]
  /** Origin of the site, without a trailing slash. */
  origin: string
  /** Without scripts, and not indexed. */
  preview?: boolean
  notice?: Notice | undefined
  editUrl?: string | undefined
  /** The URL of a stylesheet with some parts; without it all styles are inline. */
  stylesheetUrl?: ((parts: readonly Stylesheet[]) => string) | undefined
}): string {
  const { context, page, alternates, origin, preview = false, notice, editUrl, stylesheetUrl } = input
  const { locale, contentLocale, placeholders, site } = context
  const title = fillPlaceholders(page.title, placeholders)
  const isHome = page.slug === ''
  const { inline, linked } = pageStylesheets(site, page, { notice, editUrl, mayLink: stylesheetUrl !== undefined })
  const head: DocumentHead = {
    title: page.seoTitle
      ? fillPlaceholders(page.seoTitle, placeholders)
      : isHome
        ? fillPlaceholders(localized(site.seo.title, locale).value, placeholders)
        : `${title} | ${site.brand}`,
    description: fillPlaceholders(page.description || localized(site.seo.description, locale).value, placeholders),
    // A page without a translation has the URL of its own language as canonical.
    canonical: preview || page.noindex ? undefined : origin + canonicalPath(site, page, contentLocale),
    ...(page.picture && { image: previewImage(page.picture, context) }),
    alternates,
    origin,
    stylesheets: inline,
    linkedStylesheets: linked,
    feeds: preview ? undefined : feedsOf(site, page, locale, origin),
    notice,
    editUrl,
    data: structuredData({ context, page: { ...page, title }, origin }),
    withoutScripts: preview,
    scripts: !preview && hasFormWithSteps(page.body, site) ? [formStepsUrl] : [],
  }
  const content: RenderContext =
    contentLocale === locale ? context : { ...context, t: siteTranslator(site, contentLocale) }
  const { collection: view } = page
  const main = (
    <main id="inhoud" {...langAttributes(contentLocale, locale, site)}>
      {view && breadcrumbs(view, title, content)}
      {!hasMainHeading(page.body, context.viewer ? 'logged-in' : 'logged-out') &&
        pageHead(title, page.updated, content)}
      {view?.kind === 'entry' && entryParts(view, content)}
      {renderBody(
        page.body,
        content,
        stylesheetUrl && linked.length > 0 && <link rel="stylesheet" href={stylesheetUrl(linked)} />,
      )}
      {view?.kind === 'overview' && overviewParts(view, content)}
      {view?.kind === 'entry' && neighbours(view, content)}
    </main>
  )
  return renderDocument(context, head, main)
}

/**
 * The stylesheet parts of a page: those of its blocks, of the preview notice and of the edit link. Those that only its
 * lower blocks need may be linked: the browser shows what comes before the link without waiting for it.
 */
export function pageStylesheets(
  site: RenderContext['site'],
  { body, collection }: Pick<PageContent, 'body' | 'collection'>,
  options: { notice?: Notice | undefined; editUrl?: string | undefined; mayLink?: boolean } = {},
): { inline: Stylesheet[]; linked: Stylesheet[] } {
  const { upper, lower } = options.mayLink ? splitStylesheets(body) : { upper: stylesheetsOf(body), lower: [] }
  const around = [
    ...(collection ? (['prose', 'image', 'page-numbers', 'collection'] as const) : []),
    ...(options.notice ? (['preview'] as const) : []),
    ...(options.editUrl ? (['edit-link'] as const) : []),
  ]
  // The parts of every page are linked only below a hero: other headings above the link would change when they load.
  const lowest = lower.length > 0 && upper.includes('hero') ? commonStylesheets(site) : []
  return { inline: [...new Set([...upper, ...around])], linked: [...lower, ...lowest] }
}

/** Whether a form on the page has steps, or fields that depend on an answer. */
function hasFormWithSteps(body: PageContent['body'], site: RenderContext['site']): boolean {
  const shown = new Set(formsOn([...body, ...areaBlocks(site)]))
  return (site.forms ?? []).some(
    ({ id, fields }) => shown.has(id) && fields.some(({ kind, showIf }) => kind === 'step' || showIf !== undefined),
  )
}

function feedsOf(
  site: RenderContext['site'],
  { collection: view }: PageContent,
  locale: Locale,
  origin: string,
): DocumentHead['feeds'] {
  if (!view) return undefined
  const { value: title } = localized(view.collection.name, locale)
  const types = Object.entries(feedTypes) as [keyof typeof feedTypes, string][]
  return types.map(([ending, type]) => ({
    type,
    title,
    url: origin + feedPath(site, view.collection, locale, ending),
  }))
}

const canonicalPath = (site: RenderContext['site'], { slug, collection }: PageContent, locale: Locale): string =>
  collection?.kind === 'overview'
    ? overviewPath(site, collection.collection, locale, collection)
    : encodeURI(localizedPath(`/${slug}`, locale, site))

/** The image for link previews: a single URL, because those services support neither AVIF nor `srcset`. */
function previewImage(url: string, { images }: RenderContext): DocumentHead['image'] {
  const image = images.get(imageKey(url))
  return image?.src ? { url: image.src, width: image.width, height: image.height } : { url }
}

function pageHead(title: string, updated: string | undefined, { t, contentLocale }: RenderContext) {
  return (
    <div className="page-head">
      <div className="wrap">
        <h1>{title}</h1>
        {updated && (
          <p className="note">
            <time dateTime={updated}>{t('site.updated', { date: longDate(updated, contentLocale) })}</time>
          </p>
        )}
      </div>
    </div>
  )
}

/** The stylesheet parts of an error page. */
export const errorStylesheets: readonly Stylesheet[] = ['hero', 'error-page']

/** Whether a status says that there is no page, now (404) or ever again (410). */
export const isNoPage = (status: number): boolean => status === 404 || status === 410

/** The page for an error, such as not found or a failure. It is never indexed. */
export function renderErrorPage(input: {
  context: RenderContext
  status: number
  title: string
  message: string
  /** Origin of the site, without a trailing slash. */
  origin: string
}): string {
  const { context, status, title, message, origin } = input
  const isEnglish = isNoPage(status) || status >= 500
  const head = {
    title,
    description: message,
    canonical: undefined,
    // An error page has no translations, so the language switch leads to the home pages.
    alternates: context.site.locales.map((locale) => ({ locale, path: localizedPath('/', locale, context.site) })),
    origin,
    stylesheets: errorStylesheets,
    data: undefined,
  }
  const main = (
    <main id="inhoud">
      <section className={isNoPage(status) ? 'hero error-page' : 'hero error-page broken'}>
        <div className="wrap">
          <p className="status">{localizeDigits(context.locale, String(status))}</p>
          <h1 {...(isEnglish && { lang: 'en', dir: 'ltr' })}>{title}</h1>
          <p className="lead">{message}</p>
          <p className="act">
            <a className="button" href={localizedLink(context, '/')}>
              {context.t('site.backHome')}
            </a>
          </p>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(context.site).view())}
      </section>
    </main>
  )
  return renderDocument(context, head, main)
}
