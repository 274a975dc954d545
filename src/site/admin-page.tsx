import { admin } from 'virtual:client-assets'
import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { renderToStaticMarkup } from 'react-dom/server'
import { rawHtml } from '../blocks/raw-html.ts'
import { type AdminStart, adminStartId, schemeCookie } from '../contract/admin-start.ts'
import { direction } from '../contract/locales.ts'
import { describeMe } from '../domain/sign-in/describe-me.ts'
import type { Env } from '../http/env.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { adminPaletteCss, adminShades } from './admin-colours.ts'
import { iconUrl, keepLogo, logoUrl } from './logo.ts'

/** The page in which the admin runs, for who is signed in; everybody else is led to `/login` and back again. */
export async function adminPage(c: HonoContext<Env>): Promise<Response> {
  const { ctx } = c.var
  c.header('Cache-Control', 'private, no-store')
  const me = await describeMe(ctx)
  if (!me) {
    const { pathname, search } = new URL(c.req.url)
    return c.redirect(`/login?redirect=${encodeURIComponent(pathname + search)}`, 303)
  }
  for (const [name, value] of securityHeaders(ctx.origin, ["'self'", "'unsafe-inline'"], [], 'self'))
    c.header(name, value)
  c.header('Content-Language', me.locale)
  const { site } = ctx
  await keepLogo(ctx)
  const start = { me, brand: site.brand, logoUrl: logoUrl(site), shades: adminShades(site.palette) }
  return c.html(
    `<!DOCTYPE html>${renderToStaticMarkup(adminDocument({ start, palette: site.palette, icon: iconUrl(site), scheme: getCookie(c, schemeCookie) }))}`,
  )
}

function adminDocument(parts: {
  start: AdminStart
  palette: Parameters<typeof adminShades>[0]
  icon: string
  scheme: string | undefined
}) {
  const { start, palette, icon, scheme } = parts
  const { locale } = start.me
  const t = translator(locale)
  const told = scheme === 'light' || scheme === 'dark' ? { 'data-mantine-color-scheme': scheme } : {}
  return (
    <html lang={locale} dir={direction[locale]} {...told}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{start.brand}</title>
        {rawHtml('style', {}, adminPaletteCss(palette))}
        {admin.styles.map((url) => (
          <link key={url} rel="stylesheet" href={url} />
        ))}
        {[...admin.modules, admin.texts[locale]].map((url) => (
          <link key={url} rel="modulepreload" href={url} />
        ))}
        <link rel="icon" href={icon} type="image/svg+xml" />
        {rawHtml('script', { type: 'application/json', id: adminStartId }, dataInScript(start))}
        <script type="module" src={admin.script} />
      </head>
      <body>
        <div id="admin">
          <div className="beginning" role="status" aria-label={t('adminPage.beginning')} />
        </div>
        <noscript>
          <p className="no-script">{t('adminPage.needsScript')}</p>
        </noscript>
      </body>
    </html>
  )
}

/** JSON in which nothing can end the element that it stands in. */
const dataInScript = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c')
