import { parseAccept } from 'hono/utils/accept'
import { defaultLocale, type Locale, programLocales } from '../contract/locales.ts'

/**
 * The offered language that `Accept-Language` prefers.
 * @param otherwise when it names none of them: for visitors the language at the root, for staff Dutch
 */
export function requestLocale(
  request: Request,
  offered: readonly Locale[] = programLocales,
  otherwise: Locale = defaultLocale,
): Locale {
  const accepted = request.headers.get('accept-language')
  if (!accepted) return otherwise
  for (const { type, q } of parseAccept(accepted)) {
    const wanted = type.toLowerCase()
    const found =
      q > 0 &&
      (offered.find((locale) => locale.toLowerCase() === wanted) ??
        offered.find((locale) => locale.split('-')[0] === wanted.split('-')[0]))
    if (found) return found
  }
  return otherwise
}
