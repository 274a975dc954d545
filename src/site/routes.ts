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
  findShownPage,
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
import { messageAbout, sentMessage } from './contact.ts'
import { renderFeed, robots, securityTxt, sitemap, sitemapPart } from './feeds.ts'
import { isUploadPath } from './files.ts'
import { sentForm, sentFormParameter } from './forms.ts'
import { loadLogo } from './logo.ts'
import { isSearchPath, search } from './search.tsx'
import { isSignInPage } from './sign-in/sign-in-paths.ts'
import { type SiteImages, webManifest } from './site-images.ts'
import { cachedPage, privatePage } from './site-pages.ts'
import { editorStyle, linkedStylesheet, linkedStylesheetAt } from './site-style.ts'

/**
 * The public site: pages, files, and resources such as the sitemap.
 * @param options.currentConfiguration the current configuration; that of the request may be older than the last cache
 * invalidation
 */
export function createSiteRoutes(options: {
  pageCache: PageCache
  files: PublicFiles
  images: SiteImages
  currentConfiguration: () => Pick<Ctx, 'site' | 'menuPages' | 'origin'>
  /** Counts searches; without it they are not limited. */
  searches: RateLimit | undefined
}) {
  const { pageCache, files, images, currentConfiguration, searches } = options
  const site = new Hono<Env>()
  const isServed = createServedCheck({ files, images })

  for (const path of ['/user', '/admin', '/admin/*']) {
    site.get(path, adminPage).all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }

  site.on(['GET', 'HEAD'], '*', async (c) => {
    try {
      return await answer(c)
    } catch (error) {
      if (!(error instanceof RootChanged)) throw error
      c.set('ctx', { ...c.var.ctx, ...currentConfiguration() })
      return answer(c)
    }
  })

  async function answer(c: HonoContext<Env>): Promise<Response> {
    const { ctx } = c.var
    const url = new URL(c.req.url)
    const serve = (cached: CachedResponse) => pageCache.respond(c.req.raw, cached)
    // Rendered with the configuration at the start of rendering: a later invalidation discards the result, an earlier
    // one would not.
    const render = async (make: (fresh: Ctx) => Promise<CachedResponse>, cacheKey = pathname) =>
      pageCache.getOrRender(cacheKey, async () => {
        const fresh = { ...ctx, ...currentConfiguration() }
        if (rootLocaleOf(fresh.site) !== rootLocaleOf(ctx.site)) throw new RootChanged()
        return make(fresh)
      })
    const pathname = url.pathname

    const file = files.find(pathname)
    if (file) return serve(await pageCache.getOrRender(file, () => files.read(file)))
    if (pathname === '/.well-known/security.txt') {
      // Not from the page cache: its expiry moves with the months.
      return c.text(securityTxt(ctx), 200, { 'Cache-Control': 'public, max-age=3600' })
    }
    if (pathname === siteMarkPath) return c.text(siteFingerprint(ctx.secret), 200, { 'Cache-Control': 'no-store' })
    if (pathname.startsWith('/.well-known/')) return c.body(null, 204)

    const text = textAt(pathname)
    if (text) return serve(await render((fresh) => textResponse(text, fresh)))
    const styles = linkedStylesheetAt(ctx.secret, pathname)
    if (styles) return serve(await pageCache.getOrRender(pathname, () => linkedStylesheet(styles)))
    if (images.has(pathname, ctx)) return serve(await render((fresh) => images.get(pathname, fresh)))

    const { locale, path } = parsePath(ctx, pathname)
    const feed = feedAt(ctx.site, path, locale)
    if (feed) {
      const own = feedPath(ctx.site, feed.collection, locale, feed.type)
      if (pathname !== own) return redirectTo(c, own, url.search, 308)
      return serve(await render((fresh) => feedResponse(fresh, path, locale)))
    }
    const findConfirmation = async (): Promise<ContactState | undefined> => {
      const signed = url.searchParams.get(urlParameters.sent)
      const sent = sentMessage(ctx, locale, signed)
      const form = await sentForm(ctx, locale, signed, url.searchParams.get(sentFormParameter))
      return sent || form ? { values: {}, errors: {}, sent, form } : undefined
    }
    const findRedirect = () => resolveRedirect(ctx, path, locale, (at) => isServed(ctx, at))
    // A page or redirect at the path of the search takes precedence, because it may be older than the search. Mostly there
    // is neither, so neither waits for the other.
    const isSearch = isSearched(ctx, { locale, path })
    const [page, redirect] = await Promise.all([
      findShownPage(ctx, path, locale, url.searchParams),
      isSearch ? findRedirect() : undefined,
    ])
    const to = page ? undefined : isSearch ? redirect : await findRedirect()
    if (!page && !to && isSearch) {
      const canonical = localizedPath(path, locale, ctx.site)
      if (pathname !== canonical) return redirectTo(c, canonical, url.search, 308)
      return search(c, { path, locale }, searches, await findConfirmation())
    }
    if (!page && !to && (await isGone(ctx, path, locale))) throw new Refusal('gone')
    if (!page) return redirectTo(c, to, url.search)
    // Other URLs of the same page (`/fa/`, `/%64isclaimer`, its Dutch path) redirect to the canonical one.
    const own = encodeURI(localizedPath(page.path, locale, ctx.site))
    const isSamePath = page.path === path && pathname !== encodeURI(prefixedPath(path, locale))
    if (pathname !== own) return redirectTo(c, own, url.search, isSamePath ? 308 : 301)

    const chosen = chooseLocale(c, (one) => pathInLocale(ctx, page, one))
    if (chosen) return chosen
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

    const loadPageProps = async (from: Ctx, shown: LivePage) => {
      await loadLogo(from)
      const { site, menuPages, origin, secret, cdn, actor: viewer } = from
      return {
        site,
        menuPages,
        origin,
        secret,
        cdn,
        viewer,
        now: from.now(),
        ...(await findShownFiles(from, [site.branding, ...shown.body, shown.picture, shownValues(shown)])),
        ...(await findLinkedPaths(from, locale, shown)),
      }
    }
    const countView = (viewed = { path, locale, views: 0 }) => {
      if (ctx.actor || c.req.method === 'HEAD') return
      const header = (name: string) => c.req.raw.headers.get(name)
      pageCache.views.count(viewed, {
        agent: header('user-agent'),
        purpose: header('sec-purpose') ?? header('purpose'),
        referrer: header('referer'),
        host: header('host'),
        url: c.req.url,
      })
    }
    const confirmation = await findConfirmation()
    const subject = url.searchParams.get(urlParameters.offer)
    const about = messageAbout(ctx, page, locale, subject)
    // An invalid session cookie is ignored; otherwise made-up cookies would bypass the cache.
    if (confirmation || ctx.actor) {
      countView()
      const contact = confirmation ?? about
      return privatePage(await loadPageProps(ctx, page), page, locale, { ...(contact && { contact }) })
    }
    const view = page.collection
    const cacheKey =
      view?.kind === 'overview'
        ? overviewPath(ctx.site, view.collection, locale, view)
        : about && `${pathname}?${urlParameters.offer}=${subject}`
    const cached = await render(async (fresh) => {
      const now = await findShownPage(fresh, path, locale, url.searchParams)
      if (!now) throw new Refusal('not_found')
      return cachedPage(
        await loadPageProps(fresh, now),
        now,
        locale,
        messageAbout(fresh, now, locale, about ? subject : null),
      )
    }, cacheKey)
    countView(cached.viewCount)
    return serve(cached)
  }

  site.all('*', async (c) => {
    const { path } = c.req
    const { ctx } = c.var
    const there = parsePath(ctx, path)
    const exists = files.has(path) || path.startsWith('/.well-known/') || textAt(path) !== undefined
    const isSearch = isSearched(ctx, there)
    const isStylesheet = linkedStylesheetAt(ctx.secret, path) !== undefined
    if (
      exists ||
      isSearch ||
      isStylesheet ||
      isOverview(ctx, there) ||
      images.has(path, ctx) ||
      (await findLivePage(ctx, there.path, there.locale))
    ) {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    }
    throw new Refusal('not_found')
  })

  return site
}

/** The root language changed while the request was handled, so its path now means another page. */
class RootChanged extends Error {}

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

const isSearched = ({ site }: Pick<Ctx, 'site'>, { locale, path }: { locale: Locale; path: string }): boolean =>
  site.locales.includes(locale) && isSearchPath(path)

/** Whether an overview or a feed is at a path. */
const isOverview = ({ site }: Pick<Ctx, 'site'>, { locale, path }: { locale: Locale; path: string }): boolean =>
  site.locales.includes(locale) &&
  (collectionAt(site, path.slice(1), locale) ?? feedAt(site, path, locale)) !== undefined

/** The language and page path of a URL path. */
function parsePath({ site }: Pick<Ctx, 'site'>, pathname: string) {
  const { locale, path } = splitLocale(decoded(pathname), site)
  return { locale, path: path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path }
}

/** The values of an entry or overview that are shown outside blocks, and may refer to files. */
function shownValues({ collection }: LivePage): object {
  if (!collection) return []
  return collection.kind === 'entry' ? collection.values : collection.entries
}

/** Revalidated each time, because the target may change. */
function redirectTo(c: HonoContext<Env>, to: string | undefined, search: string, status: 301 | 308 = 301): Response {
  if (to === undefined) throw new Refusal('not_found')
  c.header('Cache-Control', 'public, max-age=0, must-revalidate')
  return c.redirect(/[?#]/.test(to) ? to : to + search, status)
}

/** An invalid encoding such as `%zz` matches no page. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname).normalize('NFC')
  } catch {
    return ''
  }
}

/** A text resource besides the pages. */
interface SiteText {
  type: string
  tags: string[]
  make: (ctx: Ctx) => Promise<string | undefined> | string
}

const xml = { type: 'application/xml; charset=utf-8', tags: ['page', 'sitemap'] }
const css = { type: 'text/css; charset=utf-8', tags: ['page'] }
const siteTexts: Record<string, SiteText> = {
  '/robots.txt': { type: 'text/plain; charset=utf-8', tags: ['page'], make: (ctx) => robots(ctx.origin) },
  '/sitemap.xml': { ...xml, make: (ctx) => sitemap(ctx) },
  // For the editor; pages inline their own styles. They differ by script.
  '/site.nl.css': { ...css, make: (ctx) => editorStyle(ctx.site, 'nl') },
  '/site.fa.css': { ...css, make: (ctx) => editorStyle(ctx.site, 'fa') },
  '/site.webmanifest': {
    type: 'application/manifest+json',
    tags: ['page'],
    make: (ctx) => JSON.stringify(webManifest(ctx.site, ctx.now())),
  },
}

function textAt(pathname: string): SiteText | undefined {
  if (Object.hasOwn(siteTexts, pathname)) return siteTexts[pathname]
  const [, part] = /^\/sitemap-([1-9]\d{0,3})\.xml$/.exec(pathname) ?? []
  return part === undefined ? undefined : { ...xml, make: (ctx) => sitemapPart(ctx, Number(part)) }
}

async function feedResponse(ctx: Ctx, path: string, locale: Locale): Promise<CachedResponse> {
  const feed = feedAt(ctx.site, path, locale)
  if (!feed) throw new Refusal('not_found')
  const { body, tags } = await renderFeed(ctx, feed, locale)
  return textResponse(
    { type: `${feedTypes[feed.type]}; charset=utf-8`, tags: ['page', ...tags], make: () => body },
    ctx,
  )
}

async function textResponse(text: SiteText, ctx: Ctx): Promise<CachedResponse> {
  const content = await text.make(ctx)
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
