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
import { htmlHeaders, loadUncachedProps } from '../site-pages.ts'
import type { SignInPath } from './sign-in-paths.ts'

/** The language of the request's path. */
export const pageLocale = (c: HonoContext<Env>): Locale =>
  splitLocale(c.req.path, signInLanguages(c.var.ctx.site)).locale

/** Redirects with 303 See Other, so that the target is requested with GET. Not cacheable. */
export function seeOther(c: HonoContext<Env>, target: string): Response {
  c.header('Cache-Control', 'private, no-store')
  return c.redirect(target, 303)
}

/** Creates the render context of a sign-in page; `signInPageResponse` adds the paths of links. */
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

interface SignInPage {
  renderContext: RenderContext
  title: string
  lead?: ReactNode
  body: ReactNode
  /** Sets the status and headers of the response; `body` or `lead` shows it. */
  refusal?: Refusal | undefined
  /** The query, without `?`, that the language switch preserves in the URL. */
  query?: string
  /** URLs of additional script modules. */
  scripts?: readonly string[]
}

/** Responds with a sign-in page in the layout of the site, not cacheable. */
export async function signInPageResponse(c: HonoContext<Env>, page: SignInPage): Promise<Response> {
  const { origin } = c.var.ctx
  const { query } = page
  const { linkedPaths } = await loadUncachedProps(c.var.ctx, page.renderContext.locale)
  const context = { ...page.renderContext, linkedPaths }
  const { site, locale } = context
  const stylesheets = ['hero', 'contact', 'sign-in'] as const
  const head = {
    title: `${page.title} | ${site.brand}`,
    description: page.title,
    canonical: undefined,
    alternates: signInLanguages(site).locales.map((alternate) => ({
      locale: alternate,
      path: localizedPath(context.path, alternate, site),
      ...(query && { query }),
    })),
    origin,
    jsonLd: undefined,
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
        {rawHtml('div', { className: 'view', 'aria-hidden': true }, illustrationOf(site).renderHtml())}
      </section>
    </main>
  )
  for (const [name, value] of htmlHeaders({ site, origin }, locale, stylesheets)) c.header(name, value)
  // Tokens in the URL are not sent to other sites. `no-referrer` would send `Origin: null` with the form, which is
  // refused as cross-site.
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cache-Control', 'private, no-store')
  const { refusal } = page
  for (const [name, value] of Object.entries(refusal ? refusalHeaders(refusal) : {})) c.header(name, value)
  const html = renderDocument(context, head, main)
  return c.body(compressHtml(c, html), (refusal?.status ?? 200) as ContentfulStatusCode)
}

type MaybeAsyncResponse = Response | Promise<Response>

/** A page for signing in or out, served in every language. */
export interface SignInRoute {
  path: SignInPath
  get(c: HonoContext<Env>): MaybeAsyncResponse
  /** Handles the form of the page, if it has one. */
  post?(c: HonoContext<Env>): MaybeAsyncResponse
}
