import { latinDigits } from '../../../contract/digits.ts'
import { intlTag, type Locale } from '../../../contract/locales.ts'

/** Cents as one types them: `1.950` or `24,50`, in the reader's digits. */
export function amountText(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat(intlTag[locale], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/**
 * What was typed, in cents: `1.950,00`, `1950`, `24,50`, `24.50`, `€ 1.950` or `۱٬۹۵۰٫۵۰`. A point before three digits
 * parts thousands, as it does in Dutch; what could be read in two ways is not read.
 */
export function centsOf(typed: string): number | undefined {
  const text = plainNumber(typed)
  const match =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(text) ?? (/,/.test(text) ? null : /^(\d+)\.(\d{1,2})$/.exec(text))
  if (!match) return undefined
  const [, whole = '', part = ''] = match
  const cents = Number(whole.replaceAll('.', '')) * 100 + Number(part.padEnd(2, '0'))
  return cents <= 100_000_000 ? cents : undefined
}

/** A number with a fraction, such as a coordinate; a comma and a point are the same there. */
export function numberOf(typed: string): number | undefined {
  const text = plainNumber(typed).replace(',', '.').replace('−', '-')
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Persian digits and signs become those that the patterns know; signs of direction and of money go. */
const plainNumber = (typed: string) =>
  latinDigits(typed)
    .replaceAll('٬', '.')
    .replaceAll('٫', ',')
    .replace(/[\s\u00a0\u200e\u200f\u202a-\u202e\u2066-\u2069€]|euro|eur|یورو/gi, '')
