import { expect, test } from 'vitest'
import { telOf } from './contact.ts'
import { toLatinDigits } from './text.ts'

test.each([
  ['۰۹ ٠٩', '09 09'],
  ['१२, ১২, ၁၂', '12, 12, 12'],
  ['½ ② 3', '½ ② 3'],
])('the digits of %s are %s', (text, latin) => {
  expect(toLatinDigits(text)).toBe(latin)
})

test.each([
  ['+31 (0)43 123 45 67', 'tel:+31431234567'],
  ['0031 (0) 43 123 45 67', 'tel:0031431234567'],
  ['(043) 123 45 67', 'tel:0431234567'],
  ['(0)43 123 45 67', 'tel:0431234567'],
  ['(+31) (0)43', 'tel:+3143'],
  ['T +31 (0)43', 'tel:+3143'],
  ['tel. 0031 (0)43', 'tel:003143'],
  ['+', undefined],
])('the link of the telephone number %s is %s', (written, url) => {
  expect(telOf(written)).toBe(url)
})
