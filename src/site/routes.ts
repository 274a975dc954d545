import { Hono, type Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { Refusal } from '../contract/errors.ts'
import { type Locale, localizedPath, splitLocale } from '../contract/locales.ts'
import { findPictures } from '../domain/files/find-pictures.ts'
import { addressIn, type FoundPage, findPage, findRedirection } from '../domain/pages/find-page.ts'
import type { Env } from '../http/api.ts'
import { type KeptAnswer, type KeptAnswers, makeAnswer } from '../http/kept-answers.ts'
import type { PublicFiles } from '../http/public-files.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { adminPage } from './admin-page.tsx'
import { chooseLocale } from './choose-locale.ts'
import { sentMessage } from './contact.ts'
import { isUpload } from './files.ts'
import { keepLogo } from './logo.ts'
import { manifest } from './manifest.ts'
import { isSignInPage } from './sign-in/routes.ts'
import type { SiteImages } from './site-images.ts'
import { keptPage, privatePage } from './site-pages.ts'
import { editorStyle } from './site-style.ts'
import { robots, sitemap, sitemapPart } from './sitemap.ts'

/**
 * The public site: pages, what search engines and browsers ask for beside them, and files.
 * @param parts.inForce the configuration of this moment; that of a request may be older than the last drop of answers
 */
export function createSite(parts: {
  kept: KeptAnswers
  files: PublicFiles
  images: SiteImages
  inForce: () => Pick<Ctx, 'site' | 'origin'>
}) {
  const { kept, files, images, inForce } = parts
  const site = new Hono<Env>()
  /** What can be asked for beside pages; where somebody is led there, they find something. */
  const answers = async (ctx: Ctx, path: string): Promise<boolean> =>
    files.has(path) ||
    images.has(path, ctx) ||
    textAt(path) !== undefined ||
    isSignInPage(path) ||
    ownScreens.test(path) ||
    (await isUpload(ctx, path))

  for (const path of ['/user', '/admin', '/admin/*']) {
    site.get(path, adminPage).all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }

  site.on(['GET', 'HEAD'], '*', async (c) => {
    const { ctx } = c.var
    const url = new URL(c.req.url)
    const give = (made: KeptAnswer) => kept.respond(c.req.raw, made)
    // What is kept is made of what counts when its making begins: a drop later than that is noticed, an earlier one not.
    const keep = async (make: (fresh: Ctx) => Promise<KeptAnswer>) =>
      kept.findOrMake(address, () => make({ ...ctx, ...inForce() }))
    const address = url.pathname

    if (files.has(address)) return give(await kept.findOrMake(address, () => files.read(address)))
    if (address.startsWith('/.well-known/')) return c.body(null, 204)

    const text = textAt(address)
    if (text) return give(await keep((fresh) => textAnswer(text, fresh)))
    if (images.has(address, ctx)) return give(await keep((fresh) => images.get(address, fresh)))

    const { locale, path } = asked(address)
    const page = await findPage(ctx, path, locale)
    if (!page) return led(c, await findRedirection(ctx, path, locale, (to) => answers(ctx, to)), url.search)
    // The same page under a second address (`/fa/`, `/%64isclaimer`, its Dutch one) leads to its one address.
    const own = encodeURI(localizedPath(page.path, locale))
    if (address !== own) return led(c, own, url.search, page.path === path ? 308 : 301)

    const chosen = chooseLocale(c, (one) => addressIn(page, one))
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

    const lookOf = async (from: Ctx, shown: FoundPage) => {
      await keepLogo(from)
      const { site, origin, actor: viewer } = from
      return { site, origin, viewer, now: from.now(), pictures: await findPictures(from, [site.branding, shown]) }
    }
    const looked = (viewed = { path, locale, views: 0 }) => {
      if (ctx.actor || c.req.method === 'HEAD') return
      const header = (name: string) => c.req.raw.headers.get(name)
      kept.views.count(viewed, { agent: header('user-agent'), purpose: header('sec-purpose') ?? header('purpose') })
    }
    const sent = sentMessage(ctx, locale, url.searchParams.get('verzonden'))
    // A cookie of a session that is nobody's changes nothing, or each visit with a made-up one would be rendered anew.
    if (sent || ctx.actor) {
      looked()
      const contact = sent && { contact: { values: {}, errors: {}, sent } }
      return privatePage(await lookOf(ctx, page), page, locale, { ...contact })
    }
    const made = await keep(async (fresh) => {
      const now = await findPage(fresh, path, locale)
      if (!now) throw new Refusal('not_found')
      return keptPage(await lookOf(fresh, now), now, locale)
    })
    looked(made.viewed)
    return give(made)
  })

  site.all('*', async (c) => {
    const { path } = c.req
    const { ctx } = c.var
    const there = asked(path)
    const here = files.has(path) || path.startsWith('/.well-known/') || textAt(path) !== undefined
    if (here || images.has(path, ctx) || (await findPage(ctx, there.path, there.locale))) {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    }
    throw new Refusal('not_found')
  })

  return site
}

/** The admin, and the description of the API. */
const ownScreens = /^\/(?:user|admin(?:\/.*)?|api\/docs|api\/openapi\.json)$/

type Ctx = Env['Variables']['ctx']

/** Which page, in which language, an address asks for. */
function asked(address: string) {
  const { locale, path } = splitLocale(decoded(address))
  return { locale, path: path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path }
}

/** Asked for again each time, for where it leads may change. */
function led(c: HonoContext<Env>, to: string | undefined, search: string, status: 301 | 308 = 301): Response {
  if (to === undefined) throw new Refusal('not_found')
  c.header('Cache-Control', 'public, max-age=0, must-revalidate')
  return c.redirect(/[?#]/.test(to) ? to : to + search, status)
}

/** `%zz` and half letters name no page. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address).normalize('NFC')
  } catch {
    return ''
  }
}

/** A text file that the site has beside its pages. */
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
  // For the editor, which draws blocks as the site does; pages bring their own styles in themselves.
  '/site.nl.css': { ...css, make: (ctx) => editorStyle(ctx.site, 'nl') },
  '/site.fa.css': { ...css, make: (ctx) => editorStyle(ctx.site, 'fa') },
  '/site.webmanifest': {
    type: 'application/manifest+json',
    tags: ['page'],
    make: (ctx) => JSON.stringify(manifest(ctx.site)),
  },
}

function textAt(address: string): SiteText | undefined {
  if (Object.hasOwn(siteTexts, address)) return siteTexts[address]
  const [, part] = /^\/sitemap-([1-9]\d{0,3})\.xml$/.exec(address) ?? []
  return part === undefined ? undefined : { ...xml, make: (ctx) => sitemapPart(ctx, Number(part)) }
}

async function textAnswer(text: SiteText, ctx: Ctx): Promise<KeptAnswer> {
  const made = await text.make(ctx)
  if (made === undefined) throw new Refusal('not_found')
  return makeAnswer({
    body: Buffer.from(made),
    headers: [
      ['Content-Type', text.type],
      ['Cache-Control', 'public, max-age=0, must-revalidate'],
      ['Vary', 'Accept-Encoding'],
      ...securityHeaders(ctx.origin),
    ],
    tags: text.tags,
    packs: true,
  })
}
