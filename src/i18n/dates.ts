import { siteZone } from '../contract/day.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { intlTagOf, isPersian, type Locale } from '../contract/locales.ts'

/** `zaterdag 21 november 2026 om 05:16`; in Persian with the Persian calendar, `شنبه ۳۰ آبان ۱۴۰۵، ساعت ۵:۱۶`. */
export function longDateTime(at: Date, locale: Locale): string {
  if (!isPersian(locale)) {
    return new Intl.DateTimeFormat(intlTagOf(locale), {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: siteZone,
    }).format(at)
  }
  // The full style of fa-IR puts the year first and uses a Latin comma, which is unusual in Persian.
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlTagOf(locale), { ...options, timeZone: siteZone }).format(at)
  return `${part({ weekday: 'long' })} ${part({ dateStyle: 'long' })}، ساعت ${part({ timeStyle: 'short' })}`
}

/** The reference number of a message, in the locale's digits; the same on the page and in the email. */
export function referenceNumber(id: number, locale: Locale): string {
  return numberFormat(locale, { useGrouping: false }).format(id)
}
