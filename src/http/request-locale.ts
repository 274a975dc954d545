import { parseAccept } from 'hono/utils/accept'
import { defaultLocale, type Locale, programLocales } from '../contract/locales.ts'

/** The offered language that `Accept-Language` prefers; Dutch when it names none of them. */
export function requestLocale(request: Request, offered: readonly Locale[] = programLocales): Locale {
  const accepted = request.headers.get('accept-language')
  if (!accepted) return defaultLocale
  for (const { type, q } of parseAccept(accepted)) {
    const wanted = type.toLowerCase()
    const found =
      q > 0 &&
      (offered.find((locale) => locale.toLowerCase() === wanted) ??
        offered.find((locale) => locale.split('-')[0] === wanted.split('-')[0]))
    if (found) return found
  }
  return defaultLocale
}
