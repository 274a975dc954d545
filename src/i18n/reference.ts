import { intlTagOf, type Locale } from '../contract/locales.ts'

/** The reference number of a message, in the locale's digits; the same on the page and in the email. */
export function referenceNumber(id: number, locale: Locale): string {
  return new Intl.NumberFormat(intlTagOf(locale), { useGrouping: false }).format(id)
}
