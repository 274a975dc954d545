import type { ContactState, Scene, Sheet } from '../blocks/define-block.ts'
import { sheetsOf } from '../blocks/page-facts.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { defaultLocale, type Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { type FoundPage, findPage } from '../domain/pages/find-page.ts'
import { type KeptAnswer, makeAnswer, sessionCookie } from '../http/kept-answers.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import type { Context } from '../platform/context.ts'
import { headScript } from './head-script.ts'
import type { Notice } from './html-document.tsx'
import { errorSheets, renderErrorPage, renderPage } from './render-page.tsx'
import { makeScene } from './scene.ts'
import { siteStyle } from './site-style.ts'

/** What a page is rendered from. */
export interface Look {
  site: SiteConfig
  origin: string
  now: Date
  viewer: { name: string } | undefined
  /** Uploads that stand on the page; without them they are shown by their address alone. */
  pictures?: Scene['pictures']
}

/** The page as everyone sees it who is not signed in. */
export async function keptPage(look: Omit<Look, 'viewer'>, page: FoundPage, locale: Locale): Promise<KeptAnswer> {
  return makeAnswer({
    body: Buffer.from(pageHtml({ ...look, viewer: undefined }, page, locale)),
    headers: [
      ...htmlHeaders(look, locale, sheetsOf(page.body)),
      ['Cache-Control', 'public, max-age=0, must-revalidate'],
      ['Vary', 'Accept-Encoding, Cookie'],
    ],
    tags: [`page:${page.path}`, `page#${page.id}`, 'page'],
    // The front door alone remembers a language: see `routes.ts`.
    changedBy: page.path === '/' && locale === defaultLocale ? [sessionCookie, 'locale='] : [sessionCookie],
    page: { path: page.path, locale },
    packs: true,
  })
}

/** The page for one visitor, made for this request and stored nowhere. */
export function privatePage(
  look: Look,
  page: FoundPage,
  locale: Locale,
  more: { contact?: ContactState; status?: number } = {},
): Response {
  return new Response(pageHtml(look, page, locale, more.contact), {
    status: more.status ?? 200,
    headers: [...htmlHeaders(look, locale, sheetsOf(page.body)), ['Cache-Control', 'private, no-store']],
  })
}

/** The page for who looks at it before it counts: without a script, and not for search engines. */
export function previewHtml(look: Look, page: FoundPage, locale: Locale): { html: string; style: string } {
  return {
    html: pageHtml(look, page, locale, undefined, { preview: true }),
    style: siteStyle(look.site, locale, sheetsOf(page.body)).hash,
  }
}

/** @param status 404 gives 'Page Not Found', every other 'Internal Server Error' with the message of the refusal */
export function errorPage(look: Look, locale: Locale, path: string, status: number, code: RefusalCode): Response {
  const t = translator(locale)
  const html = renderErrorPage({
    scene: makeScene({ ...look, locale, path }),
    status,
    title: status === 404 ? 'Page Not Found' : 'Internal Server Error',
    message: t(`errors.${code}.detail`),
    origin: look.origin,
  })
  return new Response(html, {
    status,
    headers: [...htmlHeaders(look, locale, errorSheets), ['Cache-Control', 'private, no-store']],
  })
}

/** A page that is not published, for who has its link: nobody keeps it, and no search engine is to know of it. */
export function previewPage(look: Look, page: FoundPage, locale: Locale, notice: Notice): Response {
  return new Response(pageHtml(look, { ...page, noindex: true }, locale, undefined, { notice }), {
    headers: [
      ...htmlHeaders(look, locale, [...sheetsOf(page.body), 'preview']),
      ['Cache-Control', 'private, no-store'],
      ['X-Robots-Tag', 'noindex'],
    ],
  })
}

function pageHtml(
  look: Look,
  page: FoundPage,
  locale: Locale,
  contact?: ContactState,
  more: { preview?: boolean; notice?: Notice } = {},
): string {
  return renderPage({
    scene: makeScene({
      ...look,
      locale,
      contentLocale: page.contentLocale,
      path: page.path,
      ...(contact && { contact }),
    }),
    page,
    alternates: page.addresses,
    origin: look.origin,
    ...more,
  })
}

function htmlHeaders(
  look: { site: SiteConfig; origin: string },
  locale: Locale,
  sheets: readonly Sheet[],
): [string, string][] {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Language', locale],
    ...securityHeaders(look.origin, [siteStyle(look.site, locale, sheets).hash], [headScript.hash]),
  ]
}

/** Home carries the contact form; a form that does not say where it stood is answered there. */
export async function pageOfForm(ctx: Pick<Context, 'db' | 'site'>, path: string, locale: Locale): Promise<FoundPage> {
  const page = (await findPage(ctx, path, locale)) ?? (await findPage(ctx, '/', locale))
  if (!page) throw new Error('there is no home page')
  return page
}
