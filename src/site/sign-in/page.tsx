import type { Context as HonoContext } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Scene } from '../../blocks/define-block.ts'
import { rawHtml } from '../../blocks/raw-html.ts'
import { riverView } from '../../blocks/river.ts'
import { type Locale, locales, localizedPath, splitLocale } from '../../contract/locales.ts'
import type { Env } from '../../http/env.ts'
import { pack } from '../../http/pack.ts'
import { securityHeaders } from '../../http/security-headers.ts'
import { headScript } from '../head-script.ts'
import { htmlDocument } from '../html-document.tsx'
import { makeScene } from '../scene.ts'
import { siteStyle } from '../site-style.ts'

/** A path in every language of the engine, for a route. */
export const inEveryLocale = (path: string): string[] => locales.map((locale) => localizedPath(path, locale))

/** In which language a request asks for a page. */
export const localeOf = (c: HonoContext<Env>): Locale => splitLocale(c.req.path).locale

export function sceneOf(c: HonoContext<Env>): Scene {
  const { ctx } = c.var
  const { locale, path } = splitLocale(c.req.path)
  return makeScene({ site: ctx.site, now: ctx.now(), viewer: ctx.actor, locale, path })
}

export interface SignInPage {
  scene: Scene
  title: string
  lead?: ReactNode
  body: ReactNode
  status?: number
  headers?: Record<string, string>
  /** What goes along when the language is switched. */
  query?: string
  scripts?: readonly string[]
}

/** A page on which somebody comes in: the site's own frame, a sheet on the bank of the river. It is kept nowhere, and its address is told nobody. */
export async function signInPage(c: HonoContext<Env>, page: SignInPage): Promise<Response> {
  const { origin } = c.var.ctx
  const { scene, query } = page
  const { site, locale } = scene
  const sheets = ['hero', 'contact', 'enter'] as const
  const head = {
    title: `${page.title} | ${site.brand}`,
    description: page.title,
    canonical: undefined,
    alternates: locales
      .filter((one) => site.locales.includes(one))
      .map((one) => ({ locale: one, path: localizedPath(scene.path, one), ...(query && { query }) })),
    origin,
    data: undefined,
    sheets,
    ...(page.scripts && { scripts: page.scripts }),
  }
  const main = (
    <main id="inhoud">
      <section className="hero enter">
        <div className="wrap">
          <div className="panel">
            <h1>{page.title}</h1>
            {page.lead && <p className="lead">{page.lead}</p>}
            {page.body}
          </div>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, riverView())}
      </section>
    </main>
  )
  for (const [name, value] of securityHeaders(origin, [siteStyle(site, locale, sheets).hash], [headScript.hash]))
    c.header(name, value)
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'private, no-store')
  c.header('Content-Language', locale)
  for (const [name, value] of Object.entries(page.headers ?? {})) c.header(name, value)
  c.header('Content-Type', 'text/html; charset=utf-8')
  const html = `<!DOCTYPE html>${renderToStaticMarkup(htmlDocument(scene, head, main))}`
  return c.body(await pack(c, html), (page.status ?? 200) as ContentfulStatusCode)
}
