import { parseAccept } from 'hono/utils/accept'
import { builtInLocales, defaultLocale, type Locale } from '../contract/locales.ts'

/**
 * The offered language that `Accept-Language` prefers.
 * @param offered a language matches by its whole tag, else by its first part
 * @param fallback the result when none matches: for visitors the language at the root, for staff Dutch
 */
export function requestLocale(
  request: Request,
  offered: readonly Locale[] = builtInLocales,
  fallback: Locale = defaultLocale,
): Locale {
  const accepted = request.headers.get('accept-language')
  if (!accepted) return fallback
  for (const { type, q } of parseAccept(accepted)) {
    const wanted = type.toLowerCase()
    const match =
      q > 0 &&
      (offered.find((locale) => locale.toLowerCase() === wanted) ??
        offered.find((locale) => locale.split('-')[0] === wanted.split('-')[0]))
    if (match) return match
  }
  return fallback
}
