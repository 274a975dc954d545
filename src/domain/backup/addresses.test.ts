import { expect, test } from 'vitest'
import { addressesIn } from './restore-backup.ts'

test.each([
  ["Bericht van o'brien@example.nl.", "o'brien@example.nl"],
  ["'roya@example.nl' vroeg het", 'roya@example.nl'],
  ['{"email":"Roya@Example.nl","tel":""}', 'roya@example.nl'],
  ['Roya <roya@example.nl>, nu', 'roya@example.nl'],
  [' roya@example.nl ', 'roya@example.nl'],
  [JSON.stringify({ bericht: 'Hallo\nroya@example.nl' }), 'roya@example.nl'],
  ['Schrijf aan roya@example.nl!', 'roya@example.nl'],
  ['{{roya@example.nl}}', 'roya@example.nl'],
  ['Is het roya@example.nl?', 'roya@example.nl'],
])('in %s an address is found', (text, address) => {
  expect(addressesIn(text)).toContain(address)
})

test('a long text without spaces is searched in one pass', () => {
  const long = 'a'.repeat(300_000)
  expect(addressesIn(`${long} roya@example.nl`)).toEqual([`${long} roya@example.nl`, 'roya@example.nl'])
})
