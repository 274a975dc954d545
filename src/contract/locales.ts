/** The languages the engine speaks. Dutch stands at the root of the site, the others behind their own prefix. */
export const locales = ['nl', 'fa'] as const
export type Locale = (typeof locales)[number]

export const defaultLocale = 'nl' satisfies Locale

export const direction: Record<Locale, 'ltr' | 'rtl'> = { nl: 'ltr', fa: 'rtl' }

/** What `Intl` is told, for dates, numbers and plurals as readers of the language write them. */
export const intlTag: Record<Locale, string> = { nl: 'nl-NL', fa: 'fa-IR' }

/** What each language calls itself, for the language switch. */
export const localeNames: Record<Locale, string> = { nl: 'Nederlands', fa: 'فارسی' }

/** The digits of a number that is no quantity, such as a time or a telephone number, as the reader writes them. */
export function inDigitsOf(locale: Locale, text: string): string {
  return locale === 'fa' ? text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? digit) : text
}

/** A reader's text: Dutch always, the others when there is a translation. */
export type Localized<T> = { nl: T; fa?: T | undefined }

/** Finds the text in the reader's language, and says in which language it was found. */
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

/** The other way round: which language a path asks for, and which page in it. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  for (const locale of locales) {
    if (locale === defaultLocale) continue
    if (pathname === `/${locale}`) return { locale, path: '/' }
    if (pathname.startsWith(`/${locale}/`)) return { locale, path: pathname.slice(locale.length + 1) }
  }
  return { locale: defaultLocale, path: pathname }
}
