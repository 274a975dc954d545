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
import { configurationPreviewHtml } from './site-pages.ts'

/**
 * A page of the site with an unsaved configuration, for the preview frame of the form. Scripts and forms are disabled
 * in it; it is not stored, and only this site may frame it.
 */
export function configurationPreviewRoutes() {
  const routes = new Hono<Env>()
  routes.post('/voorbeeld/configuratie', async (c) => {
    const { ctx } = c.var
    // Checked before the body is read; the use case checks it again.
    allow(ctx, ['config.write'])
    const form = await readForm(c.req.raw, ['config', 'path', 'locale'], limits.apiBodyBytes)
    let site: SiteConfig
    try {
      site = await previewConfiguration(ctx, form.config ?? '')
    } catch (error) {
      if (!(error instanceof Refusal) || (error.code !== 'invalid' && error.code !== 'malformed')) throw error
      // Invalid input is expected while typing: the admin recognises this page, and keeps showing the previous preview.
      return c.body(renderInvalid(requestLocale(c.req.raw)), 200, headersOf(ctx.origin, []))
    }
    const locale = localeIn(site, form.locale)
    const previewCtx = { ...ctx, site }
    const page =
      (await findLivePage(previewCtx, form.path ?? '/', locale)) ?? (await findLivePage(previewCtx, '/', locale))
    if (!page) throw new Refusal('not_found')
    await loadLogo(previewCtx)
    const shownFiles = await findShownFiles(ctx, [site.branding, page])
    const { menuPages } = await findMenuPages(ctx.db, site)
    const props = { site, menuPages, origin: ctx.origin, now: ctx.now(), viewer: undefined, ...shownFiles }
    const { html, style } = configurationPreviewHtml(props, page, locale)
    return c.body(html, 200, headersOf(ctx.origin, [style]))
  })
  routes.all('/voorbeeld/configuratie', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return routes
}

const localeIn = (site: SiteConfig, requested: string | undefined): Locale =>
  site.locales.find((one) => one === requested) ?? rootLocaleOf(site)

function headersOf(origin: string, styles: string[]): Record<string, string> {
  const headers = Object.fromEntries(securityHeaders(origin, styles))
  const policy = (headers['Content-Security-Policy'] ?? '')
    .split('; ')
    .filter((one) => !/^(script-src|form-action|frame-ancestors|connect-src)/.test(one))
  return {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      ...policy,
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

const renderInvalid = (locale: Locale) =>
  `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="preview" content="refused"><title>${translator(locale)('errors.invalid.title')}</title></head><body></body></html>`
