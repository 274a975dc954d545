import { areaBlocks, formsOn, playerOriginsOf } from '../blocks/block-contents.ts'
import type { ContactState, RenderContext, Stylesheet } from '../blocks/define-block.ts'
import { addDays, dayAt, startOfDay } from '../contract/day.ts'
import { emptyText } from '../contract/empty-text.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { type Locale, rootLocaleOf } from '../contract/locales.ts'
import type { RightsHolder } from '../contract/rights.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { searchPath } from '../contract/site-search.ts'
import { findLivePage, findShownPage, type LivePage } from '../domain/pages/find-live-page.ts'
import { findLinkedPaths } from '../domain/pages/linked-paths.ts'
import { canWritePages } from '../domain/pages/page.policy.ts'
import { buildCachedResponse, type CachedResponse, sessionCookie } from '../http/page-cache.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import type { Context } from '../platform/context.ts'
import { pageCachingHeaders } from '../platform/net/cdn.ts'
import { headScript, type Notice } from './html-document.tsx'
import { createRenderContext } from './render-context.ts'
import { errorStylesheets, isNoPage, pageStylesheets, renderErrorPage, renderPage } from './render-page.tsx'
import { queryOf, readQuery } from './search-query.ts'
import { linkedStylesheetUrl, siteStyle } from './site-style.ts'

/** The input for rendering a page. */
export interface PageProps {
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
  cdn?: Context['cdn']
  /** Signs the URL of the page's linked stylesheet; without it all styles are inline. */
  secret?: string
}

/**
 * The props of pages that are not cached: a form, its confirmation, an error page.
 * @param page omitted for a page without blocks of its own
 */
export async function uncachedProps(
  ctx: Pick<Context, 'db' | 'site' | 'menuPages' | 'origin' | 'now' | 'actor'>,
  locale: Locale,
  page?: LivePage,
): Promise<PageProps> {
  const { site, menuPages, origin, actor: viewer } = ctx
  // If the database is unavailable, links use their old paths, which redirect.
  const linked = await findLinkedPaths(ctx, locale, page).catch(() => ({}))
  return { site, menuPages, origin, now: ctx.now(), viewer, ...linked }
}

/** The page as seen by anonymous visitors. */
export async function cachedPage(
  props: Omit<PageProps, 'viewer'>,
  page: LivePage,
  locale: Locale,
  contact?: ContactState,
): Promise<CachedResponse> {
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
      ...htmlHeaders(props, locale, page),
      ...pageCachingHeaders(props.cdn, tags),
      ['Vary', 'Accept-Encoding, Cookie'],
    ],
    tags,
    // Only the root URL follows the stored language: see `routes.ts`.
    bypassCookies:
      page.path === '/' && locale === rootLocaleOf(props.site) ? [sessionCookie, 'locale='] : [sessionCookie],
    page: { path: page.path, locale },
    compressible: true,
    // The days that an appointment field offers change at midnight.
    ...(offersDays(props.site, page) && {
      maxAgeMs: startOfDay(addDays(dayAt(props.now), 1)).getTime() - props.now.getTime(),
    }),
  })
}

const offersDays = (site: SiteConfig, { body }: LivePage): boolean => {
  const shown = formsOn([...body, ...areaBlocks(site)])
  return (site.forms ?? []).some(
    ({ id, fields }) => shown.includes(id) && fields.some(({ kind }) => kind === 'appointment'),
  )
}

/** The page for one visitor, rendered for this request and not cached; a user who may edit it gets a link to its editor. */
export function privatePage(
  props: PageProps,
  page: LivePage,
  locale: Locale,
  more: { contact?: ContactState; status?: number } = {},
): Response {
  // Generated pages, such as one with only a form, have id 0 and no editor.
  const mayEdit = page.id > 0 && props.viewer !== undefined && canWritePages(props.viewer)
  const editUrl = mayEdit ? `/admin/pages/${page.id}/${page.contentLocale}` : undefined
  // Encoded here, because Node would otherwise encode a string twice: for its length, and for writing it.
  return new Response(Buffer.from(pageHtml(props, page, locale, more.contact, { editUrl })), {
    status: more.status ?? 200,
    headers: [...htmlHeaders(props, locale, page, { editUrl }), ['Cache-Control', 'private, no-store']],
  })
}

/** The page as a preview: without scripts, and not indexed. */
export function configurationPreviewHtml(
  props: PageProps,
  page: LivePage,
  locale: Locale,
): { html: string; style: string } {
  return {
    html: pageHtml(props, page, locale, undefined, { preview: true }),
    style: siteStyle(props.site, locale, pageStylesheets(props.site, page).inline).hash,
  }
}

/** Pages that are missing and failures have the English titles of the program; other refusals say what happened. */
export function errorPage(props: PageProps, locale: Locale, path: string, status: number, code: RefusalCode): Response {
  const t = siteTranslator(props.site, locale)
  const html = renderErrorPage({
    context: createRenderContext({ ...props, locale, path }),
    status,
    title: isNoPage(status) ? 'Page Not Found' : t(`errors.${status < 500 ? code : 'unexpected'}.title`),
    message: t(`errors.${code}.detail`),
    origin: props.origin,
  })
  return new Response(html, {
    status,
    headers: [...securedHtml(props, locale, errorStylesheets), ['Cache-Control', 'private, no-store']],
  })
}

/** A page that is not published, for anyone with its preview link: not cached and not indexed. */
export function draftPreviewPage(props: PageProps, page: LivePage, locale: Locale, notice: Notice): Response {
  return new Response(pageHtml(props, { ...page, noindex: true }, locale, undefined, { notice }), {
    headers: [
      ...htmlHeaders(props, locale, page, { notice }),
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
  more: { preview?: boolean; notice?: Notice; editUrl?: string | undefined } = {},
): string {
  return renderPage({
    context: createRenderContext({
      ...props,
      locale,
      contentLocale: page.contentLocale,
      path: page.path,
      ...(contact && { contact }),
      shared: !more.preview && !more.notice,
    }),
    page,
    alternates: page.alternates,
    origin: props.origin,
    stylesheetUrl: linkStylesheets(props),
    ...more,
  })
}

const linkStylesheets = ({ secret }: Pick<PageProps, 'secret'>) =>
  secret === undefined ? undefined : (parts: readonly Stylesheet[]) => linkedStylesheetUrl(secret, parts)

function htmlHeaders(
  props: Pick<PageProps, 'site' | 'origin' | 'secret'>,
  locale: Locale,
  page: Pick<LivePage, 'body' | 'collection'>,
  around: { notice?: Notice; editUrl?: string | undefined } = {},
): [string, string][] {
  const { inline, linked } = pageStylesheets(props.site, page, { ...around, mayLink: props.secret !== undefined })
  return securedHtml(props, locale, inline, linked, playerOriginsOf(page.body))
}

/** The headers of an HTML response that allow its own styles, the script in its head and these frames, and nothing else. */
export function securedHtml(
  props: Pick<PageProps, 'site' | 'origin'>,
  locale: Locale,
  inline: readonly Stylesheet[],
  linked: readonly Stylesheet[] = [],
  frames: readonly string[] = [],
): [string, string][] {
  const styles = [...(linked.length > 0 ? ["'self'"] : []), siteStyle(props.site, locale, inline, linked).hash]
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Language', locale],
    ...securityHeaders(props.origin, styles, [headScript.hash], frames),
  ]
}

/** A page with a form. */
export interface PageWithForm extends LivePage {
  /** Set only for the search page: its query string. */
  query?: string
}

/** The page that a form was sent from; without that information the home page, which may lack the form. */
export async function findContactPage(
  ctx: Pick<Context, 'db' | 'site'>,
  pathAndQuery: string,
  locale: Locale,
): Promise<PageWithForm> {
  const [path = '', posted] = pathAndQuery.split('?')
  const shown = await findShownPage(ctx, path, locale, new URLSearchParams())
  if (shown) return shown
  if (path === searchPath) {
    const page = { id: 0, path, updated: '', contentLocale: locale, alternates: [], sections: [] }
    // Only what the search reads: the posted query can hold anything, such as another confirmation or language.
    const { query, page: number } = readQuery(new URLSearchParams(posted))
    return { ...emptyText, ...page, query: queryOf(query, number) }
  }
  const home = await findLivePage(ctx, '/', locale)
  if (!home) throw new Error('there is no home page')
  return home
}
