import { intlTag, type Locale } from '../contract/locales.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Cents as a person reads them: `€ 1.450` or `۱٬۴۵۰ یورو`, with cents only where there are any. */
export function formatPrice(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  const key = `${locale}${digits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(intlTag[locale], {
      style: 'currency',
      currency: 'EUR',
      currencyDisplay: locale === 'fa' ? 'name' : 'symbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(key, format)
  }
  return format.format(cents / 100)
}
