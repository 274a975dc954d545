import { expect, test } from 'vitest'
import { addressesIn } from './restore-backup.ts'

test.each([
  ["Bericht van o'brien@example.nl.", "o'brien@example.nl"],
  ["'roya@example.nl' vroeg het", 'roya@example.nl'],
  ['{"email":"Roya@Example.nl","tel":""}', 'roya@example.nl'],
  ['Roya <roya@example.nl>, nu', 'roya@example.nl'],
  [' roya@example.nl ', 'roya@example.nl'],
])('in %s an address is found', (text, address) => {
  expect(addressesIn(text)).toContain(address)
})
