import { areaBlocks, formIdsOn, playerOriginsOf } from '../blocks/block-contents.ts'
import type { ContactState, RenderContext, Stylesheet } from '../blocks/define-block.ts'
import { addDays, dayAt, startOfDay } from '../contract/day.ts'
import { emptyText } from '../contract/empty-text.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { type Locale, rootLocaleOf } from '../contract/locales.ts'
import type { RightsHolder } from '../contract/rights.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { searchPath } from '../contract/site-search.ts'
import { findLivePage, findLivePageOrOverview, type LivePage } from '../domain/pages/find-live-page.ts'
import { findLinkedPaths } from '../domain/pages/linked-paths.ts'
import { canWritePages } from '../domain/pages/page.policy.ts'
import { buildCachedResponse, type CachedResponse, sessionCookieStart } from '../http/page-cache.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { pageCachingHeaders } from '../platform/net/cdn.ts'
import { headScript, type Notice } from './html-document.tsx'
import { createRenderContext } from './render-context.ts'
import { errorStylesheets, isMissingPage, pageStylesheets, renderErrorPage, renderPage } from './render-page.tsx'
import { readSearchQuery, searchQueryString } from './search-query.ts'
import { linkedStylesheetUrl, siteStyle } from './site-style.ts'

/** The input for rendering a page. */
interface PageProps {
  site: SiteConfig
  origin: string
  now: Date
  viewer: ({ name: string } & RightsHolder) | undefined
  menuPages: RenderContext['menuPages']
  /** The current paths of links on this page, and the cache tags of their targets. */
  linkedPaths?: RenderContext['linkedPaths']
  linkTags?: readonly string[]
  /** Uploads on the page; without them images are rendered by their URL alone. */
  images?: RenderContext['images']
  files?: RenderContext['files']
  /** Adds the caching headers of a CDN to cacheable pages. */
  cdn?: Context['cdn']
  /** Signs the URL of the page's linked stylesheet; without it all styles are inline. */
  secret?: string
}

/** Loads the props of an uncached page, with a form or an error. @param page omitted for a page without own blocks */
export async function loadUncachedProps(
  ctx: Pick<Context, 'db' | 'site' | 'menuPages' | 'origin' | 'now' | 'actor'>,
  locale: Locale,
  page?: LivePage,
): Promise<PageProps> {
  const { site, menuPages, origin, actor: viewer } = ctx
  // If the database is unavailable, links use their old paths, which redirect.
  const linkProps = await findLinkedPaths(ctx, locale, page).catch(() => ({}))
  return { site, menuPages, origin, now: ctx.now(), viewer, ...linkProps }
}

/** Builds the cached page for anonymous visitors. @param contact set for a URL that prefills the contact form */
export async function buildCachedPage(
  props: Omit<PageProps, 'viewer'>,
  page: LivePage,
  locale: Locale,
  contact?: ContactState,
): Promise<CachedResponse> {
  // A change of a page invalidates its path and its id; `page` is a tag of all pages.
  const tags = [
    `page:${page.path}`,
    `page#${page.id}`,
    'page',
    ...page.sections.map((id) => `section#${id}`),
    ...(page.listTags ?? []),
    ...(page.collection?.tags ?? []),
    ...(props.linkTags ?? []),
  ]
  return buildCachedResponse({
    body: Buffer.from(pageHtml({ ...props, viewer: undefined }, page, locale, contact)),
    headers: [
      ...pageHeaders(props, locale, page),
      ...pageCachingHeaders(props.cdn, tags),
      ['Vary', 'Accept-Encoding, Cookie'],
    ],
    tags,
    // Text that the Cookie header may contain. Only the root URL follows the stored language: see `routes.ts`.
    bypassCookies:
      page.path === '/' && locale === rootLocaleOf(props.site) ? [sessionCookieStart, 'locale='] : [sessionCookieStart],
    page: { path: page.path, locale },
    compressible: true,
    // The days that an appointment field offers change at midnight in Amsterdam.
    ...(hasAppointmentField(props.site, page) && {
      maxAgeMs: startOfDay(addDays(dayAt(props.now), 1)).getTime() - props.now.getTime(),
    }),
  })
}

/** Whether a form on the page, or in its header or footer, has an appointment field. */
const hasAppointmentField = (site: SiteConfig, { body }: LivePage): boolean => {
  const formIds = formIdsOn([...body, ...areaBlocks(site)])
  return (site.forms ?? []).some(
    ({ id, fields }) => formIds.includes(id) && fields.some(({ kind }) => kind === 'appointment'),
  )
}

/** Renders a page for one visitor, not cacheable. A user who may edit the page gets a link to its editor. */
export function privatePageResponse(
  props: PageProps,
  page: LivePage,
  locale: Locale,
  options: { contact?: ContactState; status?: number } = {},
): Response {
  // Generated pages, such as one with only a form, have id 0 and no editor.
  const mayEdit = page.id > 0 && props.viewer !== undefined && canWritePages(props.viewer)
  const editUrl = mayEdit ? `/admin/pages/${page.id}/${page.contentLocale}` : undefined
  // Encoded here, because Node would otherwise encode a string twice: for its length, and for writing it.
  return new Response(Buffer.from(pageHtml(props, page, locale, options.contact, { editUrl })), {
    status: options.status ?? 200,
    headers: [...pageHeaders(props, locale, page, { editUrl }), ['Cache-Control', 'private, no-store']],
  })
}

/** Renders a page with `noindex` and without scripts. @returns also the hash of its style, for the policy */
export function renderConfigurationPreview(
  props: PageProps,
  page: LivePage,
  locale: Locale,
): { html: string; style: string } {
  return {
    html: pageHtml(props, page, locale, undefined, { preview: true }),
    style: siteStyle(props.site, locale, pageStylesheets(props.site, page).inline).hash,
  }
}

/** Renders the error page of a refusal. The titles of a missing page and of a failure are English in every language. */
export function errorPageResponse(
  props: PageProps,
  locale: Locale,
  path: string,
  status: number,
  code: RefusalCode,
): Response {
  const t = siteTranslator(props.site, locale)
  const title = isMissingPage(status) ? 'Page Not Found' : t(`errors.${status < 500 ? code : 'unexpected'}.title`)
  const html = renderErrorPage({
    context: createRenderContext({ ...props, locale, path }),
    status,
    title,
    message: t(`errors.${code}.detail`),
    origin: props.origin,
  })
  return new Response(html, {
    status,
    headers: [...htmlHeaders(props, locale, errorStylesheets), ['Cache-Control', 'private, no-store']],
  })
}

/** Renders a draft for anyone with its preview link: not cacheable, and not indexed. */
export function draftPreviewResponse(props: PageProps, page: LivePage, locale: Locale, notice: Notice): Response {
  return new Response(pageHtml(props, { ...page, noindex: true }, locale, undefined, { notice }), {
    headers: [
      ...pageHeaders(props, locale, page, { notice }),
      ['Cache-Control', 'private, no-store'],
      ['X-Robots-Tag', 'noindex'],
    ],
  })
}

function pageHtml(
  props: PageProps,
  page: LivePage,
  locale: Locale,
  contact?: ContactState,
  options: { preview?: boolean; notice?: Notice; editUrl?: string | undefined } = {},
): string {
  return renderPage({
    context: createRenderContext({
      ...props,
      locale,
      contentLocale: page.contentLocale,
      path: page.path,
      ...(contact && { contact }),
      cacheBlocks: !options.preview && !options.notice,
    }),
    page,
    alternates: page.alternates,
    origin: props.origin,
    stylesheetUrl: stylesheetUrlSigner(props),
    ...options,
  })
}

const stylesheetUrlSigner = ({ secret }: Pick<PageProps, 'secret'>) =>
  secret === undefined ? undefined : (parts: readonly Stylesheet[]) => linkedStylesheetUrl(secret, parts)

function pageHeaders(
  props: Pick<PageProps, 'site' | 'origin' | 'secret'>,
  locale: Locale,
  page: Pick<LivePage, 'body' | 'collection'>,
  options: { notice?: Notice; editUrl?: string | undefined } = {},
): [string, string][] {
  const { inline, linked } = pageStylesheets(props.site, page, { ...options, mayLink: props.secret !== undefined })
  return htmlHeaders(props, locale, inline, linked, playerOriginsOf(page.body))
}

/** The headers of an HTML response. Its policy allows its styles, the script in its head, and these frames. */
export function htmlHeaders(
  props: Pick<PageProps, 'site' | 'origin'>,
  locale: Locale,
  inline: readonly Stylesheet[],
  linked: readonly Stylesheet[] = [],
  frameOrigins: readonly string[] = [],
): [string, string][] {
  const styles = [...(linked.length > 0 ? ["'self'"] : []), siteStyle(props.site, locale, inline, linked).hash]
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Language', locale],
    ...securityHeaders(props.origin, styles, [headScript.hash], frameOrigins),
  ]
}

/** The page that a visitor returns to after submitting a form. */
export interface ReturnPage extends LivePage {
  /** Set only for the search page: its query string. */
  query?: string
}

/** The page that a form was sent from, or else the home page. It may lack the form. The path has no language prefix. */
export async function getReturnPage(
  ctx: Pick<Context, 'db' | 'site'>,
  pathAndQuery: string,
  locale: Locale,
): Promise<ReturnPage> {
  const [path = '', postedQuery] = pathAndQuery.split('?')
  const page = await findLivePageOrOverview(ctx, path, locale, new URLSearchParams())
  if (page) return page
  if (path === searchPath) {
    const searchPage = { id: 0, path, updated: '', contentLocale: locale, alternates: [], sections: [] }
    // Only the parameters of the search: the posted query can hold anything, such as another confirmation or language.
    const { query, page: pageNumber } = readSearchQuery(new URLSearchParams(postedQuery))
    return { ...emptyText, ...searchPage, query: searchQueryString(query, pageNumber) }
  }
  const home = await findLivePage(ctx, '/', locale)
  if (!home) throw new Error('there is no home page')
  return home
}
