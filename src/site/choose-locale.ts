import type { Context as HonoContext } from 'hono'
import { setCookie } from 'hono/cookie'
import { limits } from '../contract/limits.ts'
import { type Locale, locales } from '../contract/locales.ts'
import type { Env } from '../http/env.ts'

/**
 * When somebody chose a language (`?locale=fa`), keeps the choice and leads to the page in it.
 * @param addressIn where the page is read in a language
 * @returns undefined when nobody chose, or something that the site does not offer
 */
export function chooseLocale(c: HonoContext<Env>, addressIn: (locale: Locale) => string): Response | undefined {
  const { searchParams } = new URL(c.req.url)
  const asked = searchParams.get('locale')
  const chosen = locales.find((locale) => locale === asked && c.var.ctx.site.locales.includes(locale))
  if (!chosen) return undefined
  setCookie(c, 'locale', chosen, { path: '/', maxAge: limits.localeCookieDays * 86_400, sameSite: 'Lax' })
  c.header('Cache-Control', 'private, no-store')
  searchParams.delete('locale')
  const query = searchParams.toString()
  return c.redirect(encodeURI(addressIn(chosen)) + (query && `?${query}`), 303)
}
