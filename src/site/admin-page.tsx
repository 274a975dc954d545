import { admin } from 'virtual:client-assets'
import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { renderToStaticMarkup } from 'react-dom/server'
import { rawHtml } from '../blocks/render-text.tsx'
import { type AdminInitialData, adminInitialDataId, isAdminPath, schemeCookie } from '../contract/admin-start.ts'
import { Refusal } from '../contract/errors.ts'
import { directionOf, localizedPath, rootLocaleOf } from '../contract/locales.ts'
import { findMe } from '../domain/profile/get-profile.ts'
import type { Env } from '../http/env.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { signInLocale } from './choose-locale.ts'
import { adminPaletteCss, adminShades } from './design-css.ts'
import { iconUrl, loadLogo, logoUrl } from './logo.ts'

/**
 * The HTML page of the admin for signed-in users; others are redirected to `/login` and back again. An unknown route
 * has status 404, and the admin shows a message.
 */
export async function adminPage(c: HonoContext<Env>): Promise<Response> {
  const { ctx } = c.var
  c.header('Cache-Control', 'private, no-store')
  const isKnownRoute = isAdminPath(c.req.path)
  const me = await findMe(ctx)
  if (!me && !isKnownRoute) throw new Refusal('not_found')
  if (!me) {
    const { pathname, search } = new URL(c.req.url)
    const login = localizedPath('/login', signInLocale(c), ctx.site)
    return c.redirect(`${login}?redirect=${encodeURIComponent(pathname + search)}`, 303)
  }
  // `blob:` shows an image of this computer while it is uploaded.
  const headers = securityHeaders(ctx.origin, ["'self'", "'unsafe-inline'"], [], ["'self'"], ['data:', 'blob:'])
  for (const [name, value] of headers) c.header(name, value)
  c.header('Content-Language', me.locale)
  const { site } = ctx
  await loadLogo(ctx)
  // Visitors do not need it, so it is loaded here.
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
  return c.html(
    `<!DOCTYPE html>${renderToStaticMarkup(adminDocument({ initialData, palette: site.palette, icon: iconUrl(site), scheme: getCookie(c, schemeCookie) }))}`,
    isKnownRoute ? 200 : 404,
  )
}

function adminDocument(parts: {
  initialData: AdminInitialData
  palette: Parameters<typeof adminShades>[0]
  icon: string
  scheme: string | undefined
}) {
  const { initialData, palette, icon, scheme } = parts
  const { locale } = initialData.me
  const t = translator(locale)
  const schemeAttribute = scheme === 'light' || scheme === 'dark' ? { 'data-mantine-color-scheme': scheme } : {}
  return (
    <html lang={locale} dir={directionOf(locale)} {...schemeAttribute}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{initialData.brand}</title>
        {rawHtml('style', {}, adminPaletteCss(palette))}
        {admin.styles.map((url) => (
          <link key={url} rel="stylesheet" href={url} />
        ))}
        {[...admin.modules, admin.texts[locale]].map((url) => (
          <link key={url} rel="modulepreload" href={url} />
        ))}
        <link rel="icon" href={icon} type="image/svg+xml" />
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
            <a
              href={localizedPath(
                '/',
                initialData.languages.locales.find((one) => one === locale) ?? rootLocaleOf(initialData.languages),
                initialData.languages,
              )}
            >
              {t('site.backHome')}
            </a>
          </div>
        </noscript>
      </body>
    </html>
  )
}

/** JSON that cannot close its script element. */
const toInlineJson = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c')
