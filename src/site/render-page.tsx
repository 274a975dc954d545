import { formStepsUrl } from 'virtual:client-assets'
import { areaBlocks, formIdsOn, hasMainHeading, splitStylesheets, stylesheetsOf } from '../blocks/block-contents.ts'
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
import { renderBreadcrumbs, renderEntryValues, renderOverview, renderPreviousAndNext } from './collection-parts.tsx'
import { type DocumentHead, type Notice, renderDocument } from './html-document.tsx'
import type { PageContent } from './render-context.ts'
import { commonStylesheets } from './site-style.ts'
import { structuredData } from './structured-data.ts'

/** Renders a page as a whole HTML document. */
export function renderPage(input: {
  context: RenderContext
  page: PageContent
  /** The page in each language, for the language switch. */
  alternates: readonly Alternate[]
  /** Origin of the site, without a trailing slash. */
  origin: string
  /** Whether it is rendered without scripts and feeds, and with `noindex`. */
  preview?: boolean
  notice?: Notice | undefined
  /** The URL of the page's editor, for a viewer who may edit it. */
  editUrl?: string | undefined
  /** Returns the URL of a stylesheet with these parts; omitted: all styles are inline. */
  stylesheetUrl?: ((parts: readonly Stylesheet[]) => string) | undefined
}): string {
  const { context, page, alternates, origin, preview = false, notice, editUrl, stylesheetUrl } = input
  const { locale, contentLocale, placeholders, site } = context
  const title = fillPlaceholders(page.title, placeholders)
  const isHome = page.slug === ''
  const defaultTitle = isHome
    ? fillPlaceholders(localized(site.seo.title, locale).value, placeholders)
    : `${title} | ${site.brand}`
  const { inline, linked } = pageStylesheets(site, page, { notice, editUrl, mayLink: stylesheetUrl !== undefined })
  const head: DocumentHead = {
    title: page.seoTitle ? fillPlaceholders(page.seoTitle, placeholders) : defaultTitle,
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
    jsonLd: structuredData({ context, page: { ...page, title }, origin }),
    withoutScripts: preview,
    scripts: !preview && needsFormStepsScript(page.body, site) ? [formStepsUrl] : [],
  }
  const contentContext: RenderContext =
    contentLocale === locale ? context : { ...context, t: siteTranslator(site, contentLocale) }
  const { collection: view } = page
  const showsMainHeading = hasMainHeading(page.body, context.viewer ? 'logged-in' : 'logged-out')
  const stylesheetLink = stylesheetUrl && linked.length > 0 && <link rel="stylesheet" href={stylesheetUrl(linked)} />
  const main = (
    <main id="inhoud" {...langAttributes(contentLocale, locale, site)}>
      {view && renderBreadcrumbs(view, title, contentContext)}
      {!showsMainHeading && renderPageHead(title, page.updated, contentContext)}
      {view?.kind === 'entry' && renderEntryValues(view, contentContext)}
      {renderBody(page.body, contentContext, stylesheetLink)}
      {view?.kind === 'overview' && renderOverview(view, contentContext)}
      {view?.kind === 'entry' && renderPreviousAndNext(view, contentContext)}
    </main>
  )
  return renderDocument(context, head, main)
}

/**
 * The stylesheet parts of a page: of its blocks, its collection, the notice and the edit link.
 * @param options.mayLink links parts that only lower blocks need: the browser shows what is above the link without them
 */
export function pageStylesheets(
  site: RenderContext['site'],
  { body, collection }: Pick<PageContent, 'body' | 'collection'>,
  options: { notice?: Notice | undefined; editUrl?: string | undefined; mayLink?: boolean } = {},
): { inline: Stylesheet[]; linked: Stylesheet[] } {
  const { upper, lower } = options.mayLink ? splitStylesheets(body) : { upper: stylesheetsOf(body), lower: [] }
  const partsOutsideBlocks = [
    ...(collection ? (['prose', 'image', 'page-numbers', 'collection'] as const) : []),
    ...(options.notice ? (['preview'] as const) : []),
    ...(options.editUrl ? (['edit-link'] as const) : []),
  ]
  // Common parts style headings: those above the link would change when the parts load, unless in a hero.
  const mayLinkCommonParts = lower.length > 0 && upper.includes('hero')
  const linked = mayLinkCommonParts ? [...lower, ...commonStylesheets(site)] : lower
  return { inline: [...new Set([...upper, ...partsOutsideBlocks])], linked }
}

/** Whether a form on the page, or in its header or footer, has steps, or fields that depend on an answer. */
function needsFormStepsScript(body: PageContent['body'], site: RenderContext['site']): boolean {
  const formIds = new Set(formIdsOn([...body, ...areaBlocks(site)]))
  return (site.forms ?? []).some(
    ({ id, fields }) => formIds.has(id) && fields.some(({ kind, showIf }) => kind === 'step' || showIf !== undefined),
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
  return types.map(([format, mediaType]) => ({
    type: mediaType,
    title,
    url: origin + feedPath(site, view.collection, locale, format),
  }))
}

const canonicalPath = (site: RenderContext['site'], { slug, collection }: PageContent, locale: Locale): string =>
  collection?.kind === 'overview'
    ? overviewPath(site, collection.collection, locale, collection)
    : encodeURI(localizedPath(`/${slug}`, locale, site))

/** The image for link previews: a single URL, because the services for these support neither AVIF nor `srcset`. */
function previewImage(url: string, { images }: RenderContext): DocumentHead['image'] {
  const image = images.get(imageKey(url))
  return image?.src ? { url: image.src, width: image.width, height: image.height } : { url }
}

/** @param updated an ISO date; empty or undefined: no date is shown */
function renderPageHead(title: string, updated: string | undefined, { t, contentLocale }: RenderContext) {
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

/** Whether a status means that the page does not exist (404), or not any more (410). */
export const isMissingPage = (status: number): boolean => status === 404 || status === 410

/** Renders the page for a refusal or a failure, with `noindex`. */
export function renderErrorPage(input: {
  context: RenderContext
  status: number
  /** English if the page does not exist and for a failure (5xx), otherwise in the language of the visitor. */
  title: string
  message: string
  /** Origin of the site, without a trailing slash. */
  origin: string
}): string {
  const { context, status, title, message, origin } = input
  const hasEnglishTitle = isMissingPage(status) || status >= 500
  const head = {
    title,
    description: message,
    // Without a canonical URL the document has `noindex`.
    canonical: undefined,
    // An error page has no translations, so the language switch leads to the home pages.
    alternates: context.site.locales.map((locale) => ({ locale, path: localizedPath('/', locale, context.site) })),
    origin,
    stylesheets: errorStylesheets,
    jsonLd: undefined,
  }
  const main = (
    <main id="inhoud">
      <section className={isMissingPage(status) ? 'hero error-page' : 'hero error-page broken'}>
        <div className="wrap">
          <p className="status">{localizeDigits(context.locale, String(status))}</p>
          <h1 {...(hasEnglishTitle && { lang: 'en', dir: 'ltr' })}>{title}</h1>
          <p className="lead">{message}</p>
          <p className="act">
            <a className="button" href={localizedLink(context, '/')}>
              {context.t('site.backHome')}
            </a>
          </p>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(context.site).renderHtml())}
      </section>
    </main>
  )
  return renderDocument(context, head, main)
}
