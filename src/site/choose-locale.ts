import type { Context as HonoContext } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { urlParameters } from '../contract/collections.ts'
import { limits } from '../contract/limits.ts'
import { adminLocales, type Locale, rootLocaleOf, signInLanguages } from '../contract/locales.ts'
import type { Env } from '../http/env.ts'
import { requestLocale } from '../http/request-locale.ts'

/**
 * Stores the language chosen with `?locale=fa` and redirects to the page in that language.
 * @param pathIn the path of the page in a language
 * @returns undefined without a choice, or for an unsupported language
 */
export function chooseLocale(
  c: HonoContext<Env>,
  pathIn: (locale: Locale) => string,
  offered: readonly Locale[] = c.var.ctx.site.locales,
): Response | undefined {
  const { searchParams } = new URL(c.req.url)
  const requested = searchParams.get(urlParameters.locale)
  const chosen = offered.find((locale) => locale === requested)
  if (!chosen) return undefined
  setCookie(c, 'locale', chosen, { path: '/', maxAge: limits.localeCookieDays * 86_400, sameSite: 'Lax' })
  c.header('Cache-Control', 'private, no-store')
  searchParams.delete(urlParameters.locale)
  const query = searchParams.toString()
  return c.redirect(encodeURI(pathIn(chosen)) + (query && `?${query}`), 303)
}

/** The language of sign-in pages for who names none: the remembered one, else the browser's if staff work in it. */
export function signInLocale(c: HonoContext<Env>): Locale {
  const { site } = c.var.ctx
  const remembered = getCookie(c, 'locale')
  return (
    signInLanguages(site).locales.find((one) => one === remembered) ??
    requestLocale(c.req.raw, adminLocales, rootLocaleOf(site))
  )
}
