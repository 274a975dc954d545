import { Hono } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { defaultLocale, type Locale, localizedPath } from '../contract/locales.ts'
import { findPictures } from '../domain/files/find-pictures.ts'
import { findPreview } from '../domain/pages/preview.ts'
import type { Env } from '../http/env.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'
import { previewPage } from './site-pages.ts'

/** `/voorbeeld/{token}`: a draft as visitors would see it, for whoever has the link, as long as it is good. */
export function pagePreviews() {
  const site = new Hono<Env>()
  site.on(['GET', 'HEAD'], '/voorbeeld/:token{[0-9][\\w.-]+}', async (c) => {
    const { ctx } = c.var
    const found = await findPreview(ctx, c.req.param('token'))
    if (!found) throw new Refusal('not_found')
    const { locale, text } = found
    const reader: Locale = requestLocale(c.req.raw)
    const page = {
      ...text,
      id: 0,
      path: `/${text.slug}`,
      updated: ctx.now().toISOString().slice(0, 10),
      contentLocale: locale,
      addresses: [{ locale, path: localizedPath('/', locale) }],
    }
    return previewPage(
      {
        site: ctx.site,
        origin: ctx.origin,
        now: ctx.now(),
        viewer: undefined,
        pictures: await findPictures(ctx, [ctx.site.branding, text]),
      },
      page,
      ctx.site.locales.includes(locale) ? locale : defaultLocale,
      { locale: reader, text: translator(reader)('pages.preview') },
    )
  })
  return site
}
