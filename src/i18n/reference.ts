import { intlTag, type Locale } from '../contract/locales.ts'

/** The number of a message, in the reader's digits; the same on the page as in the letter. */
export function referenceNumber(id: number, locale: Locale): string {
  return new Intl.NumberFormat(intlTag[locale], { useGrouping: false }).format(id)
}
