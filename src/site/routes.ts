import { Hono, type Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ContactState } from '../blocks/define-block.ts'
import { isAdminPath } from '../contract/admin-start.ts'
import { collectionAt, feedAt, feedPath, feedTypes, overviewPath, urlParameters } from '../contract/collections.ts'
import { Refusal } from '../contract/errors.ts'
import { type Locale, localizedPath, prefixedPath, rootLocaleOf, splitLocale } from '../contract/locales.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import {
  findLivePage,
  findLivePageOrOverview,
  isGone,
  type LivePage,
  pathInLocale,
  resolveRedirect,
} from '../domain/pages/find-live-page.ts'
import { findLinkedPaths } from '../domain/pages/linked-paths.ts'
import type { PageViewCount } from '../domain/views/views.ts'
import type { Env } from '../http/api.ts'
import { buildCachedResponse, type CachedResponse, type PageCache } from '../http/page-cache.ts'
import type { PublicFiles } from '../http/public-files.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { siteFingerprint, siteMarkPath } from '../platform/config/secret.ts'
import { pageCachingHeaders } from '../platform/net/cdn.ts'
import { adminPage } from './admin-page.tsx'
import { chooseLocale } from './choose-locale.ts'
import { prefillOfferMessage, readContactConfirmation } from './contact.ts'
import { renderFeed, robots, securityTxt, sitemap, sitemapFile } from './feeds.ts'
import { formIdParameter, readFormConfirmation } from './forms.ts'
import { loadLogo } from './logo.ts'
import { isSearchPath, searchResponse } from './search.tsx'
import { isSignInPage } from './sign-in/sign-in-paths.ts'
import { type SiteImages, webManifest } from './site-images.ts'
import { buildCachedPage, privatePageResponse } from './site-pages.ts'
import { editorStyle, linkedStylesheetAt, linkedStylesheetResponse } from './site-style.ts'
import { isUploadPath } from './uploads.ts'

/**
 * Creates the routes of the public site: pages, files, and resources such as the sitemap.
 * @param options.currentConfiguration the newest configuration; that of a request may be older than an invalidation
 */
export function createSiteRoutes(options: {
  pageCache: PageCache
  files: PublicFiles
  images: SiteImages
  currentConfiguration: () => Pick<Ctx, 'site' | 'menuPages' | 'origin'>
  /** Limits searches; undefined: no limit. */
  searches: RateLimit | undefined
}) {
  const { pageCache, files, images, currentConfiguration, searches } = options
  const routes = new Hono<Env>()
  const isServed = createServedCheck({ files, images })

  for (const path of ['/user', '/admin', '/admin/*']) {
    routes.get(path, adminPage).all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }

  routes.on(['GET', 'HEAD'], '*', async (c) => {
    try {
      return await respond(c)
    } catch (error) {
      if (!(error instanceof RootLocaleChanged)) throw error
      c.set('ctx', { ...c.var.ctx, ...currentConfiguration() })
      return respond(c)
    }
  })

  async function respond(c: HonoContext<Env>): Promise<Response> {
    const { ctx } = c.var
    const url = new URL(c.req.url)
    const request: SiteRequest = { c, ctx, url, ...parsePath(ctx, url.pathname) }
    return (await respondWithResource(request)) ?? (await respondWithFeed(request)) ?? respondWithPage(request)
  }

  const serve = ({ c }: SiteRequest, cached: CachedResponse) => pageCache.respond(c.req.raw, cached)

  /**
   * The cached response for a path, or else a rendering with the newest configuration. With the older one of the request,
   * an invalidation between the start of the request and that of the rendering would go unnoticed; the page cache notices
   * only one during the rendering.
   */
  const getOrRender = (
    { ctx, url }: SiteRequest,
    render: (fresh: Ctx) => Promise<CachedResponse>,
    cacheKey = url.pathname,
  ): Promise<CachedResponse> =>
    pageCache.getOrRender(cacheKey, async () => {
      const fresh = { ...ctx, ...currentConfiguration() }
      if (rootLocaleOf(fresh.site) !== rootLocaleOf(ctx.site)) throw new RootLocaleChanged()
      return render(fresh)
    })

  /** Responds for a public file, a path below `/.well-known/`, a text such as the sitemap, a linked stylesheet or a site image. */
  async function respondWithResource(request: SiteRequest): Promise<Response | undefined> {
    const { c, ctx } = request
    const { pathname } = request.url
    const file = files.find(pathname)
    if (file) return serve(request, await pageCache.getOrRender(file, () => files.read(file)))
    if (pathname === '/.well-known/security.txt') {
      // Not from the page cache, because its expiry date depends on the current month.
      return c.text(securityTxt(ctx), 200, { 'Cache-Control': 'public, max-age=3600' })
    }
    if (pathname === siteMarkPath) return c.text(siteFingerprint(ctx.secret), 200, { 'Cache-Control': 'no-store' })
    if (pathname.startsWith('/.well-known/')) return c.body(null, 204)

    const text = textAt(pathname)
    if (text) return serve(request, await getOrRender(request, (fresh) => textResponse(text, fresh)))
    const styles = linkedStylesheetAt(ctx.secret, pathname)
    if (styles) {
      return serve(request, await pageCache.getOrRender(pathname, () => linkedStylesheetResponse(styles)))
    }
    if (!images.has(pathname, ctx)) return undefined
    return serve(request, await getOrRender(request, (fresh) => images.get(pathname, fresh)))
  }

  /** Responds if the path is that of a feed, or another spelling of it. */
  async function respondWithFeed(request: SiteRequest): Promise<Response | undefined> {
    const { c, ctx, url, locale, path } = request
    const feed = feedAt(ctx.site, path, locale)
    if (!feed) return undefined
    const canonicalPath = feedPath(ctx.site, feed.collection, locale, feed.type)
    if (url.pathname !== canonicalPath) return redirectTo(c, canonicalPath, url.search, 308)
    return serve(request, await getOrRender(request, (fresh) => feedResponse(fresh, path, locale)))
  }

  async function respondWithPage(request: SiteRequest): Promise<Response> {
    const { c, ctx, url, locale, path } = request
    // A page or redirect at the path of the search, from before there was a search, takes precedence. Mostly there is neither,
    // so both are looked up at once.
    const [page, redirectOfSearchPath] = await Promise.all([
      findLivePageOrOverview(ctx, path, locale, url.searchParams),
      isSearch(request) ? findRedirect(request) : undefined,
    ])
    if (!page) return respondWithoutPage(request, redirectOfSearchPath)
    return (
      redirectToCanonicalPath(request, page) ??
      chooseLocale(c, (target) => pathInLocale(ctx, page, target)) ??
      redirectRootToStoredLocale(request) ??
      respondWithLivePage(request, page)
    )
  }

  const findRedirect = ({ ctx, path, locale }: SiteRequest): Promise<string | undefined> =>
    resolveRedirect(ctx, path, locale, (target) => isServed(ctx, target))

  /** Responds where no page is: with a redirect or the search. @throws {Refusal} `gone`, `not_found` */
  async function respondWithoutPage(request: SiteRequest, redirectOfSearchPath: string | undefined): Promise<Response> {
    const { c, ctx, url, locale, path } = request
    const target = isSearch(request) ? redirectOfSearchPath : await findRedirect(request)
    if (target !== undefined) return redirectTo(c, target, url.search)
    if (isSearch(request)) {
      const canonicalPath = localizedPath(path, locale, ctx.site)
      if (url.pathname !== canonicalPath) return redirectTo(c, canonicalPath, url.search, 308)
      return searchResponse(c, { path, locale }, searches, await findConfirmation(request))
    }
    throw new Refusal((await isGone(ctx, path, locale)) ? 'gone' : 'not_found')
  }

  async function respondWithLivePage(request: SiteRequest, page: LivePage): Promise<Response> {
    const { c, ctx, url, locale, path } = request
    const countView = (view: PageViewCount) => {
      if (ctx.actor || c.req.method === 'HEAD') return
      const header = (name: string) => c.req.raw.headers.get(name)
      pageCache.views.count(view, {
        agent: header('user-agent'),
        purpose: header('sec-purpose') ?? header('purpose'),
        referrer: header('referer'),
        host: header('host'),
        url: c.req.url,
      })
    }
    const confirmation = await findConfirmation(request)
    const offerId = url.searchParams.get(urlParameters.offer)
    const offerMessage = prefillOfferMessage(ctx, page, locale, offerId)
    // Checks the actor, not the cookie: otherwise a made-up session cookie would bypass the cache.
    if (confirmation || ctx.actor) {
      countView({ path, locale, views: 0 })
      const contact = confirmation ?? offerMessage
      return privatePageResponse(await loadPageProps(ctx, page, locale), page, locale, { ...(contact && { contact }) })
    }
    const cached = await getOrRender(
      request,
      async (fresh) => {
        const freshPage = await findLivePageOrOverview(fresh, path, locale, url.searchParams)
        if (!freshPage) throw new Refusal('not_found')
        return buildCachedPage(
          await loadPageProps(fresh, freshPage, locale),
          freshPage,
          locale,
          prefillOfferMessage(fresh, freshPage, locale, offerMessage ? offerId : null),
        )
      },
      pageCacheKey(request, page, offerMessage && offerId),
    )
    if (cached.viewCount) countView(cached.viewCount)
    return serve(request, cached)
  }

  // Any other method.
  routes.all('*', async (c) => {
    const { path } = c.req
    const { ctx } = c.var
    const pagePath = parsePath(ctx, path)
    const exists =
      files.has(path) ||
      path.startsWith('/.well-known/') ||
      textAt(path) !== undefined ||
      isSearch({ ctx, ...pagePath }) ||
      linkedStylesheetAt(ctx.secret, path) !== undefined ||
      isOverviewOrFeed(ctx, pagePath) ||
      images.has(path, ctx) ||
      (await findLivePage(ctx, pagePath.path, pagePath.locale)) !== undefined
    throw exists ? new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] }) : new Refusal('not_found')
  })

  return routes
}

/** The root language changed while the request was handled, so its path now means another page. */
class RootLocaleChanged extends Error {}

/** A request to the site, with the language and page path of its URL. */
interface SiteRequest extends PagePath {
  c: HonoContext<Env>
  ctx: Ctx
  url: URL
}

/** The language of a URL path, and the rest: decoded, without language prefix and final slash. */
interface PagePath {
  locale: Locale
  path: string
}

/** Redirects other URLs of a page (`/fa/`, `/%64isclaimer`, its Dutch path in Persian) to the canonical one. */
function redirectToCanonicalPath({ c, ctx, url, locale, path }: SiteRequest, page: LivePage): Response | undefined {
  const canonicalPath = encodeURI(localizedPath(page.path, locale, ctx.site))
  if (url.pathname === canonicalPath) return undefined
  // `/%64isclaimer` always means `/disclaimer`: 308. But the path of a page, and the root language, may change: 301.
  const isOtherSpelling = page.path === path && url.pathname !== encodeURI(prefixedPath(path, locale))
  return redirectTo(c, canonicalPath, url.search, isOtherSpelling ? 308 : 301)
}

/** Redirects `/` without a query to the language in the cookie. All other URLs are the same for everyone. */
function redirectRootToStoredLocale({ c, ctx, url }: SiteRequest): Response | undefined {
  if (url.pathname !== '/' || url.search !== '') return undefined
  const locale = getCookie(c, 'locale')
  if (!locale || locale === rootLocaleOf(ctx.site) || !ctx.site.locales.includes(locale)) return undefined
  c.header('Cache-Control', 'private, no-store')
  c.header('Vary', 'Cookie')
  return c.redirect(localizedPath('/', locale, ctx.site), 302)
}

/** The confirmation of a message or form that was just sent, from the signed reference in the URL. */
async function findConfirmation({ ctx, url, locale }: SiteRequest): Promise<ContactState | undefined> {
  const signed = url.searchParams.get(urlParameters.sent)
  const confirmation = readContactConfirmation(ctx, locale, signed)
  const form = await readFormConfirmation(ctx, locale, signed, url.searchParams.get(formIdParameter))
  return confirmation || form ? { values: {}, errors: {}, confirmation, form } : undefined
}

/** The path, with the parameters that the page depends on. @param offerId of the offer that its form is filled with */
function pageCacheKey({ ctx, url, locale }: SiteRequest, page: LivePage, offerId: string | null | undefined): string {
  if (page.collection?.kind === 'overview') {
    return overviewPath(ctx.site, page.collection.collection, locale, page.collection)
  }
  return offerId ? `${url.pathname}?${urlParameters.offer}=${offerId}` : url.pathname
}

async function loadPageProps(ctx: Ctx, page: LivePage, locale: Locale) {
  await loadLogo(ctx)
  const { site, menuPages, origin, secret, cdn, actor: viewer } = ctx
  const fileReferences = [site.branding, ...page.body, page.picture, valuesOutsideBlocks(page)]
  return {
    site,
    menuPages,
    origin,
    secret,
    cdn,
    viewer,
    now: ctx.now(),
    ...(await findShownFiles(ctx, fileReferences)),
    ...(await findLinkedPaths(ctx, locale, page)),
  }
}

/** Whether the site serves something other than a page at a path, so that a link or redirect may lead there. */
export const createServedCheck =
  ({ files, images }: { files: PublicFiles; images: SiteImages }) =>
  async (ctx: Ctx, path: string): Promise<boolean> =>
    files.has(path) ||
    images.has(path, ctx) ||
    textAt(path) !== undefined ||
    linkedStylesheetAt(ctx.secret, path) !== undefined ||
    isSignInPage(ctx.site, path) ||
    isOverviewOrFeed(ctx, parsePath(ctx, path)) ||
    isSearch({ ctx, ...parsePath(ctx, path) }) ||
    isAdminPath(path) ||
    apiDocuments.has(path) ||
    (await isUploadPath(ctx, path))

const apiDocuments = new Set(['/api/docs', '/api/openapi.json'])

type Ctx = Env['Variables']['ctx']

/** Whether the path is that of the search page or its suggestions. */
const isSearch = ({ ctx, locale, path }: PagePath & { ctx: Pick<Ctx, 'site'> }): boolean =>
  ctx.site.locales.includes(locale) && isSearchPath(path)

/** Whether the path is that of an overview or a feed. */
const isOverviewOrFeed = ({ site }: Pick<Ctx, 'site'>, { locale, path }: PagePath): boolean =>
  site.locales.includes(locale) &&
  (collectionAt(site, path.slice(1), locale) ?? feedAt(site, path, locale)) !== undefined

function parsePath({ site }: Pick<Ctx, 'site'>, pathname: string): PagePath {
  const { locale, path } = splitLocale(decodePath(pathname), site)
  return { locale, path: path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path }
}

/** The values of an entry, or the entries of an overview: they are shown outside blocks, and may refer to files. */
function valuesOutsideBlocks({ collection }: LivePage): object {
  if (!collection) return []
  return collection.kind === 'entry' ? collection.values : collection.entries
}

/**
 * Redirects with the query of the request (`?…`, or empty) if the target has neither a query nor a fragment. The redirect is
 * revalidated, because its target may change.
 */
function redirectTo(c: HonoContext<Env>, target: string, search: string, status: 301 | 308 = 301): Response {
  c.header('Cache-Control', 'public, max-age=0, must-revalidate')
  return c.redirect(/[?#]/.test(target) ? target : target + search, status)
}

/** Decodes a path. An invalid encoding such as `%zz` becomes an empty text, which matches no page. */
function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).normalize('NFC')
  } catch {
    return ''
  }
}

/** A text resource, such as the sitemap. */
interface SiteText {
  type: string
  /** Its cache tags. */
  tags: string[]
  /** Undefined: not found. */
  render: (ctx: Ctx) => Promise<string | undefined> | string
}

const xml = { type: 'application/xml; charset=utf-8', tags: ['page', 'sitemap'] }
const css = { type: 'text/css; charset=utf-8', tags: ['page'] }
const siteTexts: Record<string, SiteText> = {
  '/robots.txt': { type: 'text/plain; charset=utf-8', tags: ['page'], render: (ctx) => robots(ctx.origin) },
  '/sitemap.xml': { ...xml, render: (ctx) => sitemap(ctx) },
  // The stylesheets of the editor, for Latin and for Persian script; pages inline their own styles.
  '/site.nl.css': { ...css, render: (ctx) => editorStyle(ctx.site, 'nl') },
  '/site.fa.css': { ...css, render: (ctx) => editorStyle(ctx.site, 'fa') },
  '/site.webmanifest': {
    type: 'application/manifest+json',
    tags: ['page'],
    render: (ctx) => JSON.stringify(webManifest(ctx.site, ctx.now())),
  },
}

function textAt(pathname: string): SiteText | undefined {
  if (Object.hasOwn(siteTexts, pathname)) return siteTexts[pathname]
  const [, number] = /^\/sitemap-([1-9]\d{0,3})\.xml$/.exec(pathname) ?? []
  return number === undefined ? undefined : { ...xml, render: (ctx) => sitemapFile(ctx, Number(number)) }
}

async function feedResponse(ctx: Ctx, path: string, locale: Locale): Promise<CachedResponse> {
  const feed = feedAt(ctx.site, path, locale)
  if (!feed) throw new Refusal('not_found')
  const { body, tags } = await renderFeed(ctx, feed, locale)
  return textResponse(
    { type: `${feedTypes[feed.type]}; charset=utf-8`, tags: ['page', ...tags], render: () => body },
    ctx,
  )
}

async function textResponse(text: SiteText, ctx: Ctx): Promise<CachedResponse> {
  const content = await text.render(ctx)
  if (content === undefined) throw new Refusal('not_found')
  return buildCachedResponse({
    body: Buffer.from(content),
    headers: [
      ['Content-Type', text.type],
      ...pageCachingHeaders(ctx.cdn, text.tags),
      ['Vary', 'Accept-Encoding'],
      ...securityHeaders(ctx.origin),
    ],
    tags: text.tags,
    compressible: true,
  })
}
