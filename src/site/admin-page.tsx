import { admin } from 'virtual:client-assets'
import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { renderToStaticMarkup } from 'react-dom/server'
import { rawHtml } from '../blocks/render-text.tsx'
import { type AdminInitialData, adminInitialDataId, isAdminPath, schemeCookie } from '../contract/admin-start.ts'
import { Refusal } from '../contract/errors.ts'
import { directionOf, localizedPath, rootLocaleOf } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { findMe } from '../domain/profile/get-profile.ts'
import type { Env } from '../http/env.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { signInLocale } from './choose-locale.ts'
import { adminPaletteCss, adminShades } from './design-css.ts'
import { iconUrl, loadLogo, logoUrl } from './logo.ts'

/**
 * Responds with the page of the admin; an anonymous visitor is redirected to `/login` and back. A path of no screen has
 * status 404: users see a message of the admin, visitors the error page.
 */
export async function adminPage(c: HonoContext<Env>): Promise<Response> {
  const { ctx } = c.var
  c.header('Cache-Control', 'private, no-store')
  const isScreen = isAdminPath(c.req.path)
  const me = await findMe(ctx)
  if (!me && !isScreen) throw new Refusal('not_found')
  if (!me) {
    const { pathname, search } = new URL(c.req.url)
    const loginPath = localizedPath('/login', signInLocale(c), ctx.site)
    return c.redirect(`${loginPath}?redirect=${encodeURIComponent(pathname + search)}`, 303)
  }
  // `blob:` is for the preview of an image while it is uploaded.
  const headers = securityHeaders(ctx.origin, ["'self'", "'unsafe-inline'"], [], ["'self'"], ['data:', 'blob:'])
  for (const [name, value] of headers) c.header(name, value)
  c.header('Content-Language', me.locale)
  const { site } = ctx
  await loadLogo(ctx)
  // Loaded at the first request of a user, because visitors never need it.
  const { getHealthProblems } = await import('../domain/health/problems.ts')
  const initialData = {
    me,
    brand: site.brand,
    logoUrl: logoUrl(site),
    languages: { locales: site.locales, languages: site.languages, rootLocale: site.rootLocale },
    sendsMail: ctx.mail.sends,
    problems: await getHealthProblems(ctx, me.locale),
    shades: adminShades(site.palette),
  }
  const html = renderToStaticMarkup(adminDocument(initialData, site, getCookie(c, schemeCookie)))
  return c.html(`<!DOCTYPE html>${html}`, isScreen ? 200 : 404)
}

/** @param scheme the stored colour scheme; any other value than `light` and `dark` leaves it to the browser */
function adminDocument(initialData: AdminInitialData, site: SiteConfig, scheme: string | undefined) {
  const { languages } = initialData
  const { locale } = initialData.me
  const t = translator(locale)
  const schemeAttribute = scheme === 'light' || scheme === 'dark' ? { 'data-mantine-color-scheme': scheme } : {}
  const siteLocale = languages.locales.find((candidate) => candidate === locale) ?? rootLocaleOf(languages)
  return (
    <html lang={locale} dir={directionOf(locale)} {...schemeAttribute}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{initialData.brand}</title>
        {rawHtml('style', {}, adminPaletteCss(site.palette))}
        {admin.styles.map((url) => (
          <link key={url} rel="stylesheet" href={url} />
        ))}
        {[...admin.modules, admin.texts[locale]].map((url) => (
          <link key={url} rel="modulepreload" href={url} />
        ))}
        <link rel="icon" href={iconUrl(site)} type="image/svg+xml" />
        {rawHtml('script', { type: 'application/json', id: adminInitialDataId }, toInlineJson(initialData))}
        <script type="module" src={admin.script} />
      </head>
      <body>
        <div id="admin">
          <div className="loading" role="status" aria-label={t('adminPage.loading')} />
        </div>
        <noscript>
          <div className="no-script">
            <p>{t('adminPage.requiresJavaScript')}</p>
            <a href={localizedPath('/', siteLocale, languages)}>{t('site.backHome')}</a>
          </div>
        </noscript>
      </body>
    </html>
  )
}

/** JSON for a script element; `<` is escaped, so that no text in it can close the element. */
const toInlineJson = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c')
