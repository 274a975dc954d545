import { intlTagOf, type Locale } from './locales.ts'

/** A cached number format: constructing one takes longer than rendering a block. */
export const numberFormat = (locale: Locale, options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  getOrCreate(numberFormats, Intl.NumberFormat, locale, options)

/** A cached date format. */
export const dateFormat = (locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  getOrCreate(dateFormats, Intl.DateTimeFormat, locale, options)

/**
 * `21 november 2026` for a date like `2026-11-21`, in the calendar of the language; returns any other text unchanged, also an
 * impossible date.
 */
export function longDate(day: string, locale: Locale): string {
  const date = new Date(`${day}T12:00:00Z`)
  // `new Date` also accepts many other texts with a number in them, and takes 31 February for 3 March.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T`)
  return isDay ? dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date) : day
}

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
