import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { urlParameters } from '../contract/collections.ts'
import { limits } from '../contract/limits.ts'
import { adminLocales, type Locale, rootLocaleOf, signInLanguages } from '../contract/locales.ts'
import type { Env } from '../http/env.ts'
import { requestLocale } from '../http/request-locale.ts'

/**
 * Stores the language of the parameter `?locale=fa` in a cookie, and redirects to the page in that language.
 * @param pathIn the path of the page in a language
 * @returns undefined without the parameter, or for an unsupported language
 */
export function chooseLocale(
  c: HonoContext<Env>,
  pathIn: (locale: Locale) => string,
  supported: readonly Locale[] = c.var.ctx.site.locales,
): Response | undefined {
  const { searchParams } = new URL(c.req.url)
  const parameter = searchParams.get(urlParameters.locale)
  const locale = supported.find((candidate) => candidate === parameter)
  if (!locale) return undefined
  setCookie(c, 'locale', locale, { path: '/', maxAge: limits.localeCookieDays * 86_400, sameSite: 'Lax' })
  c.header('Cache-Control', 'private, no-store')
  searchParams.delete(urlParameters.locale)
  const query = searchParams.toString()
  return c.redirect(encodeURI(pathIn(locale)) + (query && `?${query}`), 303)
}

/** The language of a sign-in page without one in its URL: of the cookie, or else of the browser if the admin has it. */
export function signInLocale(c: HonoContext<Env>): Locale {
  const { site } = c.var.ctx
  const cookieLocale = getCookie(c, 'locale')
  return (
    signInLanguages(site).locales.find((locale) => locale === cookieLocale) ??
    requestLocale(c.req.raw, adminLocales, rootLocaleOf(site))
  )
}
