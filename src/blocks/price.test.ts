import { expect, test } from 'vitest'
import { formatPrice } from './offer.tsx'

const spaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('a price is formatted in the digits and notation of the locale', () => {
  expect(spaces(formatPrice(195_000, 'nl'))).toBe('€ 1.950')
  expect(spaces(formatPrice(195_000, 'fa'))).toBe('۱٬۹۵۰ یورو')
})

test('decimals are shown only where there are any, and then two digits', () => {
  expect(spaces(formatPrice(1_250, 'nl'))).toBe('€ 12,50')
  expect(spaces(formatPrice(1_250, 'fa'))).toBe('۱۲٫۵۰ یورو')
  expect(spaces(formatPrice(0, 'nl'))).toBe('€ 0')
})
