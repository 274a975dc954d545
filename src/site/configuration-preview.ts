import { Hono } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, rootLocaleOf } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { allow } from '../domain/allow.ts'
import { previewConfiguration } from '../domain/configuration/show-configuration.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import { findLivePage } from '../domain/pages/find-live-page.ts'
import { findMenuPages } from '../domain/pages/menu-pages.ts'
import { readForm } from '../http/body.ts'
import type { Env } from '../http/env.ts'
import { requestLocale } from '../http/request-locale.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { loadLogo } from './logo.ts'
import { renderConfigurationPreview } from './site-pages.ts'

/**
 * Creates the route for the preview of an unsaved configuration, in a frame of its form. The page runs no scripts,
 * submits no forms, and only this site may frame it.
 */
export function configurationPreviewRoutes() {
  const routes = new Hono<Env>()
  routes.post('/voorbeeld/configuratie', async (c) => {
    const { ctx } = c.var
    // Before the body is read; the verb checks it again.
    allow(ctx, ['config.write'])
    const form = await readForm(c.req.raw, ['config', 'path', 'locale'], limits.apiBodyBytes)
    let site: SiteConfig
    try {
      site = await previewConfiguration(ctx, form.config ?? '')
    } catch (error) {
      if (!(error instanceof Refusal) || (error.code !== 'invalid' && error.code !== 'malformed')) throw error
      // Normal while typing. The admin recognises this page by its meta tag, and keeps the previous preview.
      return c.body(renderInvalidPage(requestLocale(c.req.raw)), 200, previewHeaders(ctx.origin, []))
    }
    const locale = site.locales.find((siteLocale) => siteLocale === form.locale) ?? rootLocaleOf(site)
    const previewCtx = { ...ctx, site }
    const page =
      (await findLivePage(previewCtx, form.path ?? '/', locale)) ?? (await findLivePage(previewCtx, '/', locale))
    if (!page) throw new Refusal('not_found')
    await loadLogo(previewCtx)
    const shownFiles = await findShownFiles(ctx, [site.branding, page])
    const { menuPages } = await findMenuPages(ctx.db, site)
    const props = { site, menuPages, origin: ctx.origin, now: ctx.now(), viewer: undefined, ...shownFiles }
    const { html, style } = renderConfigurationPreview(props, page, locale)
    return c.body(html, 200, previewHeaders(ctx.origin, [style]))
  })
  routes.all('/voorbeeld/configuratie', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return routes
}

/** @param styles hashes of inline styles, for the Content-Security-Policy */
function previewHeaders(origin: string, styles: string[]): Record<string, string> {
  const headers = Object.fromEntries(securityHeaders(origin, styles))
  const otherDirectives = (headers['Content-Security-Policy'] ?? '')
    .split('; ')
    .filter((directive) => !/^(script-src|form-action|frame-ancestors|connect-src)/.test(directive))
  return {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      ...otherDirectives,
      "script-src 'none'",
      "form-action 'none'",
      "connect-src 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Robots-Tag': 'noindex',
    'Cache-Control': 'private, no-store',
  }
}

const renderInvalidPage = (locale: Locale) =>
  `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="preview" content="refused"><title>${translator(locale)('errors.invalid.title')}</title></head><body></body></html>`
