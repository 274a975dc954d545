import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adminLocales, intlTagOf } from '../../../contract/locales.ts'
import { entryFieldId } from '../../../contract/site-config.ts'
import { formatCents, newId, parseCents, parseCount, parseDecimal, parseLocalNumber, reinsertItem } from './values.ts'

test.each([
  ['1.950,00', 195_000],
  ['1.950', 195_000],
  ['1950', 195_000],
  ['24,50', 2_450],
  ['24,5', 2_450],
  ['24.50', 2_450],
  ['0', 0],
  ['€ 1.950', 195_000],
  ['1.950 euro', 195_000],
  ['۱٬۹۵۰', 195_000],
  ['۱٬۹۵۰٫۵۰', 195_050],
  ['۲۴٫۵ یورو', 2_450],
  ['1.000.000', 100_000_000],
])('%j is an amount', (typed, cents) => expect(parseCents(typed)).toBe(cents))

test.each(['', 'gratis', '-5', '1,950', '1.95.0', '12.3456', '1,2,3', '1.000.001', '24,505'])(
  '%j is ambiguous or not an amount',
  (typed) => expect(parseCents(typed)).toBeUndefined(),
)

test.each([
  ['1,950.00', 195_000],
  ['1,950', 195_000],
  ['24.50', 2_450],
  ['24,50', 2_450],
  ['€ 1,000,000', 100_000_000],
])('%j is an amount in English', (typed, cents) => expect(parseCents(typed, 'en')).toBe(cents))

test.each(['1.950', '1,95,0', '12,3456', '24.505'])('%j is ambiguous or not an amount in English', (typed) =>
  expect(parseCents(typed, 'en')).toBeUndefined(),
)

test('a formatted amount parses to the same amount, in each language', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(...adminLocales), (cents, locale) => {
      expect(parseCents(formatCents(cents, locale), locale)).toBe(cents)
    }),
  )
})

test('coordinates are parsed with a comma, a point and Persian digits', () => {
  expect(['50,8514', '50.8514', '۵۰٫۸۵۱۴', '-5,69'].map(parseDecimal)).toEqual([50.8514, 50.8514, 50.8514, -5.69])
  expect(['', 'noord', '1,2,3'].map(parseDecimal)).toEqual([undefined, undefined, undefined])
})

test('a number is parsed with the decimal and thousands separators of the language', () => {
  const read = (locale: string, ...typed: string[]) => typed.map((one) => parseLocalNumber(one, locale))
  expect(read('nl', '1.500', '1.500,5', '1,5', '1.5', '-0.125', '1234.567')).toEqual([
    1500, 1500.5, 1.5, 1.5, -0.125, 1234.567,
  ])
  expect(read('en', '1,500', '1,500.5', '1.5', '1.500')).toEqual([1500, 1500.5, 1.5, 1.5])
  expect(read('fa', '۱٬۵۰۰', '۱٬۵۰۰٫۵', '‎−۱٫۵')).toEqual([1500, 1500.5, -1.5])
  expect(read('nl', '', 'veel', '1.5,2', '1,2,3', '1.50.000').every((number) => number === undefined)).toBe(true)
})

test('a formatted number parses to the same number, in each language', () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(...adminLocales), fc.boolean(), (thousandths, locale, useGrouping) => {
      const text = new Intl.NumberFormat(intlTagOf(locale), { useGrouping, maximumFractionDigits: 3 })
      expect(parseLocalNumber(text.format(thousandths / 1_000), locale)).toBe(thousandths / 1_000)
    }),
  )
})

test('two new items get different ids', () => {
  const ids = [newId('keuze'), newId('keuze')]
  expect(ids[0]).not.toBe(ids[1])
  for (const id of ids) expect(id).toMatch(entryFieldId)
})

test('restoring a deleted item keeps what was changed meanwhile', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, text: '' })) as [Named, Named, Named]
  const changed = { id: 'c', text: 'changed' }
  expect(reinsertItem([a, changed], b, 1)).toEqual([a, b, changed])
  expect(reinsertItem([c], b, 1)).toEqual([c, b])
  expect(reinsertItem([a, b], b, 1)).toEqual([a, b])
})
interface Named {
  id: string
  text: string
}

test('a whole number is parsed with Persian digits too', () => {
  expect(['30', ' 30 ', '۳۰', '٣٠'].map(parseCount)).toEqual([30, 30, 30, 30])
  expect(['', '-1', '1,5', '1234567'].map(parseCount)).toEqual([undefined, undefined, undefined, undefined])
})
