import { Hono } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, locales } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { allow } from '../domain/allow.ts'
import { previewConfiguration } from '../domain/configuration/preview-configuration.ts'
import { findPictures } from '../domain/files/find-pictures.ts'
import { findPage } from '../domain/pages/find-page.ts'
import type { Env } from '../http/env.ts'
import { readForm } from '../http/form.ts'
import { requestLocale } from '../http/request-locale.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { keepLogo } from './logo.ts'
import { previewHtml } from './site-pages.ts'

/**
 * A page of the site as it would be with a configuration that nobody has saved, for the frame beside the form. Nothing
 * in it runs and nothing is sent from it; it is kept nowhere, and only this site may frame it.
 */
export function configurationPreview() {
  const site = new Hono<Env>()
  site.post('/voorbeeld/configuratie', async (c) => {
    const { ctx } = c.var
    // Before anything of it is read; the verb asks again.
    allow(ctx, ['config.write'])
    const form = await readForm(c.req.raw, ['config', 'path', 'locale'], limits.apiBodyBytes)
    let asked: SiteConfig
    try {
      asked = await previewConfiguration(ctx, form.config ?? '')
    } catch (error) {
      if (!(error instanceof Refusal) || (error.code !== 'invalid' && error.code !== 'malformed')) throw error
      // The frame keeps what it showed: half a word is no failure.
      return c.body(notYet(requestLocale(c.req.raw)), 200, headersOf(ctx.origin, []))
    }
    const locale = localeIn(asked, form.locale)
    const shown = { ...ctx, site: asked }
    const page = (await findPage(shown, form.path ?? '/', locale)) ?? (await findPage(shown, '/', locale))
    if (!page) throw new Refusal('not_found')
    await keepLogo(shown)
    const pictures = await findPictures(ctx, [asked.branding, page])
    const look = { site: asked, origin: ctx.origin, now: ctx.now(), viewer: undefined, pictures }
    const { html, style } = previewHtml(look, page, locale)
    return c.body(html, 200, headersOf(ctx.origin, [style]))
  })
  site.all('/voorbeeld/configuratie', () => {
    throw new Refusal('method_not_allowed', { allow: ['POST'] })
  })
  return site
}

const localeIn = (site: SiteConfig, asked: string | undefined): Locale =>
  locales.find((one) => one === asked && site.locales.includes(one)) ?? 'nl'

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

const notYet = (locale: Locale) =>
  `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="preview" content="refused"><title>${translator(locale)('errors.invalid.title')}</title></head><body></body></html>`
