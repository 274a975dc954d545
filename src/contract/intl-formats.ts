import { intlTagOf, type Locale } from './locales.ts'

/** A cached number format: constructing one takes longer than rendering a block. */
export const numberFormat = (locale: Locale, options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  getOrCreate(numberFormats, Intl.NumberFormat, locale, options)

/** A cached date format. */
export const dateFormat = (locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  getOrCreate(dateFormats, Intl.DateTimeFormat, locale, options)

/** Formats a day such as `2026-02-05` as `5 februari 2026`. */
export const longDate = (day: string, locale: Locale): string =>
  dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function getOrCreate<Format, Options>(
  cache: Map<string, Format>,
  Constructor: new (tag: string, options?: Options) => Format,
  locale: Locale,
  options?: Options,
): Format {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = cache.get(key) ?? new Constructor(intlTagOf(locale), options)
  cache.set(key, format)
  return format
}
