/** The supported languages. Dutch has no URL prefix; the others do. */
export const locales = ['nl', 'fa'] as const
export type Locale = (typeof locales)[number]

export const defaultLocale = 'nl' satisfies Locale

export const direction: Record<Locale, 'ltr' | 'rtl'> = { nl: 'ltr', fa: 'rtl' }

/** The BCP 47 tags for `Intl`. */
export const intlTag: Record<Locale, string> = { nl: 'nl-NL', fa: 'fa-IR' }

/** Each language's own name, for the language switch. */
export const localeNames: Record<Locale, string> = { nl: 'Nederlands', fa: 'فارسی' }

/** Converts the digits of a text such as a time or telephone number to those of the language. */
export function localizeDigits(locale: Locale, text: string): string {
  return locale === 'fa' ? text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? digit) : text
}

/** A translated text: Dutch is required. */
export type Localized<T> = { nl: T; fa?: T | undefined }

/** The text in a language, or else in Dutch, with the language it was found in. */
export function localized<T>(value: Localized<T>, locale: Locale): { value: T; locale: Locale } {
  const own = value[locale]
  if (own !== undefined) return { value: own, locale }
  return { value: value[defaultLocale], locale: defaultLocale }
}

/** `/privacy-verklaring` in Persian is `/fa/privacy-verklaring`; the Persian home is `/fa`. */
export function localizedPath(path: string, locale: Locale): string {
  if (locale === defaultLocale) return path
  return path === '/' || path.startsWith('/#') || path.startsWith('/?')
    ? `/${locale}${path.slice(1)}`
    : `/${locale}${path}`
}

/** Splits a path into its language and the path without the prefix. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  for (const locale of locales) {
    if (locale === defaultLocale) continue
    if (pathname === `/${locale}`) return { locale, path: '/' }
    if (pathname.startsWith(`/${locale}/`)) return { locale, path: pathname.slice(locale.length + 1) }
  }
  return { locale: defaultLocale, path: pathname }
}
