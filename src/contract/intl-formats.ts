import { intlTagOf, type Locale } from './locales.ts'

/** A format of numbers in a language. Making one takes longer than rendering a block, so each is made once. */
export const numberFormat = (locale: Locale, options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  madeOnce(numberFormats, Intl.NumberFormat, locale, options)

/** A format of dates in a language, made once too. */
export const dateFormat = (locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  madeOnce(dateFormats, Intl.DateTimeFormat, locale, options)

/** A day of a site, `2026-02-05`, as `5 februari 2026`. */
export const longDate = (day: string, locale: Locale): string =>
  dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function madeOnce<Format, Options>(
  made: Map<string, Format>,
  Kind: new (tag: string, options?: Options) => Format,
  locale: Locale,
  options?: Options,
): Format {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = made.get(key) ?? new Kind(intlTagOf(locale), options)
  made.set(key, format)
  return format
}
