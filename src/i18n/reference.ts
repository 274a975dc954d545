import { numberFormat } from '../contract/intl-formats.ts'
import type { Locale } from '../contract/locales.ts'

/** The reference number of a message, in the locale's digits; the same on the page and in the email. */
export function referenceNumber(id: number, locale: Locale): string {
  return numberFormat(locale, { useGrouping: false }).format(id)
}
