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
import { isUploadPath } from './files.ts'
import { formIdParameter, readFormConfirmation } from './forms.ts'
import { loadLogo } from './logo.ts'
import { isSearchPath, searchResponse } from './search.tsx'
import { isSignInPage } from './sign-in/sign-in-paths.ts'
import { type SiteImages, webManifest } from './site-images.ts'
import { buildCachedPage, privatePageResponse } from './site-pages.ts'
import { editorStyle, linkedStylesheetAt, linkedStylesheetResponse } from './site-style.ts'

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
    const { pathname } = url
    const serve = (cached: CachedResponse) => pageCache.respond(c.req.raw, cached)
    // Renders with the newest configuration at its start. With the older one of the request, an invalidation before the
    // start would go unnoticed; one during rendering discards the result.
    const getOrRender = async (render: (fresh: Ctx) => Promise<CachedResponse>, cacheKey = pathname) =>
      pageCache.getOrRender(cacheKey, async () => {
        const fresh = { ...ctx, ...currentConfiguration() }
        if (rootLocaleOf(fresh.site) !== rootLocaleOf(ctx.site)) throw new RootLocaleChanged()
        return render(fresh)
      })

    const file = files.find(pathname)
    if (file) return serve(await pageCache.getOrRender(file, () => files.read(file)))
    if (pathname === '/.well-known/security.txt') {
      // Not from the page cache, because its expiry date depends on the current month.
      return c.text(securityTxt(ctx), 200, { 'Cache-Control': 'public, max-age=3600' })
    }
    if (pathname === siteMarkPath) return c.text(siteFingerprint(ctx.secret), 200, { 'Cache-Control': 'no-store' })
    if (pathname.startsWith('/.well-known/')) return c.body(null, 204)

    const text = textAt(pathname)
    if (text) return serve(await getOrRender((fresh) => textResponse(text, fresh)))
    const styles = linkedStylesheetAt(ctx.secret, pathname)
    if (styles) return serve(await pageCache.getOrRender(pathname, () => linkedStylesheetResponse(styles)))
    if (images.has(pathname, ctx)) return serve(await getOrRender((fresh) => images.get(pathname, fresh)))

    const { locale, path } = parsePath(ctx, pathname)
    const feed = feedAt(ctx.site, path, locale)
    if (feed) {
      const canonicalPath = feedPath(ctx.site, feed.collection, locale, feed.type)
      if (pathname !== canonicalPath) return redirectTo(c, canonicalPath, url.search, 308)
      return serve(await getOrRender((fresh) => feedResponse(fresh, path, locale)))
    }
    const findConfirmation = async (): Promise<ContactState | undefined> => {
      const signed = url.searchParams.get(urlParameters.sent)
      const confirmation = readContactConfirmation(ctx, locale, signed)
      const form = await readFormConfirmation(ctx, locale, signed, url.searchParams.get(formIdParameter))
      return confirmation || form ? { values: {}, errors: {}, confirmation, form } : undefined
    }
    const findRedirect = () => resolveRedirect(ctx, path, locale, (target) => isServed(ctx, target))
    // A page or redirect at the path of the search takes precedence: it may be older than the search. Mostly there is
    // neither, so both are looked up at once.
    const isSearch = isSearched(ctx, { locale, path })
    const [page, redirectOfSearchPath] = await Promise.all([
      findLivePageOrOverview(ctx, path, locale, url.searchParams),
      isSearch ? findRedirect() : undefined,
    ])
    if (!page) {
      const target = isSearch ? redirectOfSearchPath : await findRedirect()
      if (!target && isSearch) {
        const canonicalPath = localizedPath(path, locale, ctx.site)
        if (pathname !== canonicalPath) return redirectTo(c, canonicalPath, url.search, 308)
        return searchResponse(c, { path, locale }, searches, await findConfirmation())
      }
      if (!target && (await isGone(ctx, path, locale))) throw new Refusal('gone')
      return redirectTo(c, target, url.search)
    }
    // Other URLs of the same page (`/fa/`, `/%64isclaimer`, its Dutch path) redirect to the canonical one.
    const canonicalPath = encodeURI(localizedPath(page.path, locale, ctx.site))
    // 308 for another spelling of the path; 301 if the page's path or the root language decides, which may change.
    const isOtherSpelling = page.path === path && pathname !== encodeURI(prefixedPath(path, locale))
    if (pathname !== canonicalPath) return redirectTo(c, canonicalPath, url.search, isOtherSpelling ? 308 : 301)

    const localeRedirect = chooseLocale(c, (target) => pathInLocale(ctx, page, target))
    if (localeRedirect) return localeRedirect
    const cookieLocale = getCookie(c, 'locale')
    // Only the root URL follows the stored language; all other URLs are the same for everyone.
    if (
      pathname === '/' &&
      url.search === '' &&
      cookieLocale &&
      cookieLocale !== rootLocaleOf(ctx.site) &&
      ctx.site.locales.includes(cookieLocale)
    ) {
      c.header('Cache-Control', 'private, no-store')
      c.header('Vary', 'Cookie')
      return c.redirect(localizedPath('/', cookieLocale, ctx.site), 302)
    }

    const loadPageProps = async (pageCtx: Ctx, livePage: LivePage) => {
      await loadLogo(pageCtx)
      const { site, menuPages, origin, secret, cdn, actor: viewer } = pageCtx
      const fileReferences = [site.branding, ...livePage.body, livePage.picture, valuesOutsideBlocks(livePage)]
      return {
        site,
        menuPages,
        origin,
        secret,
        cdn,
        viewer,
        now: pageCtx.now(),
        ...(await findShownFiles(pageCtx, fileReferences)),
        ...(await findLinkedPaths(pageCtx, locale, livePage)),
      }
    }
    const countView = (viewCount = { path, locale, views: 0 }) => {
      if (ctx.actor || c.req.method === 'HEAD') return
      const header = (name: string) => c.req.raw.headers.get(name)
      pageCache.views.count(viewCount, {
        agent: header('user-agent'),
        purpose: header('sec-purpose') ?? header('purpose'),
        referrer: header('referer'),
        host: header('host'),
        url: c.req.url,
      })
    }
    const confirmation = await findConfirmation()
    const offerId = url.searchParams.get(urlParameters.offer)
    const prefilled = prefillOfferMessage(ctx, page, locale, offerId)
    // An invalid session cookie is ignored; otherwise made-up cookies would bypass the cache.
    if (confirmation || ctx.actor) {
      countView()
      const contact = confirmation ?? prefilled
      return privatePageResponse(await loadPageProps(ctx, page), page, locale, { ...(contact && { contact }) })
    }
    const view = page.collection
    const cacheKey =
      view?.kind === 'overview'
        ? overviewPath(ctx.site, view.collection, locale, view)
        : prefilled && `${pathname}?${urlParameters.offer}=${offerId}`
    const cached = await getOrRender(async (fresh) => {
      const freshPage = await findLivePageOrOverview(fresh, path, locale, url.searchParams)
      if (!freshPage) throw new Refusal('not_found')
      return buildCachedPage(
        await loadPageProps(fresh, freshPage),
        freshPage,
        locale,
        prefillOfferMessage(fresh, freshPage, locale, prefilled ? offerId : null),
      )
    }, cacheKey)
    countView(cached.viewCount)
    return serve(cached)
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
      isSearched(ctx, pagePath) ||
      linkedStylesheetAt(ctx.secret, path) !== undefined ||
      isOverview(ctx, pagePath) ||
      images.has(path, ctx) ||
      (await findLivePage(ctx, pagePath.path, pagePath.locale)) !== undefined
    throw exists ? new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] }) : new Refusal('not_found')
  })

  return routes
}

/** The root language changed while the request was handled, so its path now means another page. */
class RootLocaleChanged extends Error {}

/** Whether the site serves something other than a page at a path, so that a link or redirect may lead there. */
export const createServedCheck =
  ({ files, images }: { files: PublicFiles; images: SiteImages }) =>
  async (ctx: Ctx, path: string): Promise<boolean> =>
    files.has(path) ||
    images.has(path, ctx) ||
    textAt(path) !== undefined ||
    linkedStylesheetAt(ctx.secret, path) !== undefined ||
    isSignInPage(ctx.site, path) ||
    isOverview(ctx, parsePath(ctx, path)) ||
    isSearched(ctx, parsePath(ctx, path)) ||
    isAdminPath(path) ||
    apiDocuments.has(path) ||
    (await isUploadPath(ctx, path))

const apiDocuments = new Set(['/api/docs', '/api/openapi.json'])

type Ctx = Env['Variables']['ctx']

/** Whether the search page or its suggestions are at a path. */
const isSearched = ({ site }: Pick<Ctx, 'site'>, { locale, path }: { locale: Locale; path: string }): boolean =>
  site.locales.includes(locale) && isSearchPath(path)

/** Whether an overview or a feed is at a path. */
const isOverview = ({ site }: Pick<Ctx, 'site'>, { locale, path }: { locale: Locale; path: string }): boolean =>
  site.locales.includes(locale) &&
  (collectionAt(site, path.slice(1), locale) ?? feedAt(site, path, locale)) !== undefined

/** The language and page path (decoded, without language prefix and final slash) of a URL path. */
function parsePath({ site }: Pick<Ctx, 'site'>, pathname: string) {
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
function redirectTo(
  c: HonoContext<Env>,
  target: string | undefined,
  search: string,
  status: 301 | 308 = 301,
): Response {
  if (target === undefined) throw new Refusal('not_found')
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
