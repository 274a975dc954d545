import { parseAccept } from 'hono/utils/accept'
import { defaultLocale, type Locale, locales } from '../contract/locales.ts'

/** The offered language that `Accept-Language` prefers; Dutch when it names none of them. */
export function requestLocale(request: Request, offered: readonly Locale[] = locales): Locale {
  const accepted = request.headers.get('accept-language')
  if (!accepted) return defaultLocale
  for (const { type, q } of parseAccept(accepted)) {
    const found = offered.find((locale) => q > 0 && type.toLowerCase().split('-')[0] === locale)
    if (found) return found
  }
  return defaultLocale
}
