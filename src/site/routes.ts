import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { Refusal } from '../contract/errors.ts'
import { type Locale, localizedPath, splitLocale } from '../contract/locales.ts'
import { findPictures } from '../domain/files/find-pictures.ts'
import { findPage } from '../domain/pages/find-page.ts'
import type { Env } from '../http/api.ts'
import { type KeptAnswer, type KeptAnswers, makeAnswer, sessionCookie } from '../http/kept-answers.ts'
import type { PublicFiles } from '../http/public-files.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { adminPage } from './admin-page.tsx'
import { chooseLocale } from './choose-locale.ts'
import { sentMessage } from './contact.ts'
import { manifest } from './manifest.ts'
import type { SiteImages } from './site-images.ts'
import { keptPage, privatePage } from './site-pages.ts'
import { robots, sitemap } from './sitemap.ts'

/** The public site: pages, what search engines and browsers ask for beside them, and files. */
export function createSite(parts: { kept: KeptAnswers; files: PublicFiles; images: SiteImages }) {
  const { kept, files, images } = parts
  const site = new Hono<Env>()

  for (const path of ['/user', '/admin', '/admin/*']) {
    site.get(path, adminPage).all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }

  site.on(['GET', 'HEAD'], '*', async (c) => {
    const { ctx } = c.var
    const url = new URL(c.req.url)
    const give = (made: KeptAnswer) => kept.respond(c.req.raw, made)
    const address = url.pathname

    if (files.has(address)) return give(await kept.findOrMake(address, () => files.read(address)))
    if (address.startsWith('/.well-known/')) return c.body(null, 204)

    const text = Object.hasOwn(siteTexts, address) ? siteTexts[address] : undefined
    if (text) return give(await kept.findOrMake(address, () => textAnswer(text, ctx)))
    if (images.has(address, ctx)) return give(await kept.findOrMake(address, () => images.get(address, ctx)))

    const { locale, page, path } = pageAt(ctx.site, address)
    if (!page) throw new Refusal('not_found')
    // The same page under a second address (`/fa/`, `/%64isclaimer`) leads to its one address.
    const own = encodeURI(localizedPath(path, locale))
    if (address !== own) return c.redirect(own + url.search, 308)

    const chosen = chooseLocale(c, path)
    if (chosen) return chosen
    const remembered = getCookie(c, 'locale')
    // Only the front door remembers: every other address shows what it says, to whoever it is sent.
    if (
      address === '/' &&
      url.search === '' &&
      remembered &&
      remembered !== 'nl' &&
      ctx.site.locales.includes(remembered as Locale)
    ) {
      c.header('Cache-Control', 'private, no-store')
      c.header('Vary', 'Cookie')
      return c.redirect(localizedPath('/', remembered as Locale), 302)
    }

    await images.keepLogo(ctx)
    const look = { site: ctx.site, origin: ctx.origin, now: ctx.now(), viewer: ctx.actor }
    const withPictures = async () => ({ ...look, pictures: await findPictures(ctx, [ctx.site.branding, page]) })
    const sent = sentMessage(ctx, locale, url.searchParams.get('verzonden'))
    if (sent) return privatePage(await withPictures(), page, locale, { contact: { values: {}, errors: {}, sent } })
    if (c.req.header('cookie')?.includes(sessionCookie)) return privatePage(await withPictures(), page, locale)
    return give(await kept.findOrMake(address, async () => keptPage(await withPictures(), page, locale)))
  })

  site.all('*', (c) => {
    const { path } = c.req
    const here = files.has(path) || path.startsWith('/.well-known/') || Object.hasOwn(siteTexts, path)
    if (here || images.has(path, c.var.ctx) || pageAt(c.var.ctx.site, path).page) {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    }
    throw new Refusal('not_found')
  })

  return site
}

type Ctx = Env['Variables']['ctx']

function pageAt(site: Ctx['site'], address: string) {
  const { locale, path: asked } = splitLocale(decoded(address))
  const path = asked.length > 1 && asked.endsWith('/') && !asked.endsWith('//') ? asked.slice(0, -1) : asked
  const known = site.locales.includes(locale)
  return { locale, path, page: known ? findPage(site, path, locale) : undefined }
}

/** `%zz` and half letters name no page. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address).normalize('NFC')
  } catch {
    return ''
  }
}

/** The few text files that the site has beside its pages. */
const siteTexts: Record<string, { type: string; make: (ctx: Ctx) => string }> = {
  '/robots.txt': { type: 'text/plain; charset=utf-8', make: (ctx) => robots(ctx.origin) },
  '/sitemap.xml': { type: 'application/xml; charset=utf-8', make: (ctx) => sitemap(ctx.site, ctx.origin) },
  '/site.webmanifest': { type: 'application/manifest+json', make: (ctx) => JSON.stringify(manifest(ctx.site)) },
}

const textAnswer = (text: { type: string; make: (ctx: Ctx) => string }, ctx: Ctx) =>
  makeAnswer({
    body: Buffer.from(text.make(ctx)),
    headers: [
      ['Content-Type', text.type],
      ['Cache-Control', 'public, max-age=0, must-revalidate'],
      ['Vary', 'Accept-Encoding'],
      ...securityHeaders(ctx.origin),
    ],
    tags: ['page'],
    packs: true,
  })
