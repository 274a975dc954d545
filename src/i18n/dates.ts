import { siteZone } from '../contract/day.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { intlTagOf, isPersian, type Locale } from '../contract/locales.ts'

/** Formats an instant: `zaterdag 21 november 2026 om 05:16`; Persian has its calendar: `شنبه ۳۰ آبان ۱۴۰۵، ساعت ۵:۱۶`. */
export function longDateTime(instant: Date, locale: Locale): string {
  if (!isPersian(locale)) {
    return new Intl.DateTimeFormat(intlTagOf(locale), {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: siteZone,
    }).format(instant)
  }
  // The full style of fa-IR puts the year first and uses a Latin comma, which is unusual in Persian.
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlTagOf(locale), { ...options, timeZone: siteZone }).format(instant)
  return `${format({ weekday: 'long' })} ${format({ dateStyle: 'long' })}، ساعت ${format({ timeStyle: 'short' })}`
}

/** Formats the reference number of a message in the digits of the language, as pages and emails show it. */
export function referenceNumber(id: number, locale: Locale): string {
  return numberFormat(locale, { useGrouping: false }).format(id)
}
