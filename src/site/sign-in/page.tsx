import type { Context as HonoContext } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ReactNode } from 'react'
import type { RenderContext } from '../../blocks/define-block.ts'
import { illustrationOf } from '../../blocks/illustrations.ts'
import { rawHtml } from '../../blocks/render-text.tsx'
import type { Refusal } from '../../contract/errors.ts'
import { type Locale, localizedPath, signInLanguages, splitLocale } from '../../contract/locales.ts'
import { compressHtml } from '../../http/compress-html.ts'
import type { Env } from '../../http/env.ts'
import { refusalHeaders } from '../../http/problem.ts'
import { renderDocument } from '../html-document.tsx'
import { createRenderContext } from '../render-context.ts'
import { securedHtml, uncachedProps } from '../site-pages.ts'
import type { SignInPath } from './sign-in-paths.ts'

/** The language of the request's path. */
export const pageLocale = (c: HonoContext<Env>): Locale =>
  splitLocale(c.req.path, signInLanguages(c.var.ctx.site)).locale

/** Redirects after a form, without caching. */
export function seeOther(c: HonoContext<Env>, target: string): Response {
  c.header('Cache-Control', 'private, no-store')
  return c.redirect(target, 303)
}

export function pageRenderContext(c: HonoContext<Env>): RenderContext {
  const { ctx } = c.var
  const { locale, path } = splitLocale(c.req.path, signInLanguages(ctx.site))
  return createRenderContext({
    site: ctx.site,
    menuPages: ctx.menuPages,
    now: ctx.now(),
    viewer: ctx.actor,
    locale,
    path,
  })
}

export interface SignInPage {
  renderContext: RenderContext
  title: string
  lead?: ReactNode
  body: ReactNode
  /** Sets the status and headers of the response. */
  refusal?: Refusal | undefined
  /** Preserved in the URL when the language is switched. */
  query?: string
  scripts?: readonly string[]
}

/** A sign-in page in the layout of the site. It is not cached. */
export async function signInPage(c: HonoContext<Env>, page: SignInPage): Promise<Response> {
  const { origin } = c.var.ctx
  const { query } = page
  const { linkedPaths } = await uncachedProps(c.var.ctx, page.renderContext.locale)
  const context = { ...page.renderContext, linkedPaths }
  const { site, locale } = context
  const stylesheets = ['hero', 'contact', 'sign-in'] as const
  const head = {
    title: `${page.title} | ${site.brand}`,
    description: page.title,
    canonical: undefined,
    alternates: signInLanguages(site).locales.map((one) => ({
      locale: one,
      path: localizedPath(context.path, one, site),
      ...(query && { query }),
    })),
    origin,
    data: undefined,
    stylesheets,
    ...(page.scripts && { scripts: page.scripts }),
  }
  const main = (
    <main id="inhoud">
      <section className="hero sign-in">
        <div className="wrap">
          <div className="panel">
            <h1>{page.title}</h1>
            {page.lead && <p className="lead">{page.lead}</p>}
            {page.body}
          </div>
        </div>
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(site).view())}
      </section>
    </main>
  )
  for (const [name, value] of securedHtml({ site, origin }, locale, stylesheets)) c.header(name, value)
  // Tokens in the URL are not sent to other sites. `no-referrer` would send `Origin: null` with the form, which is
  // refused as cross-site.
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cache-Control', 'private, no-store')
  const { refusal } = page
  for (const [name, value] of Object.entries(refusal ? refusalHeaders(refusal) : {})) c.header(name, value)
  const html = renderDocument(context, head, main)
  return c.body(compressHtml(c, html), (refusal?.status ?? 200) as ContentfulStatusCode)
}

type Answer = Response | Promise<Response>

/** A page for signing in or out, served in every language. */
export interface SignInRoute {
  path: SignInPath
  get(c: HonoContext<Env>): Answer
  /** Handles its form, if it has one. */
  post?(c: HonoContext<Env>): Answer
}
