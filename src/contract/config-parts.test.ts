import { expect, test } from 'vitest'
import { defaultSiteFile } from '../../test/support/site-file.ts'
import { configChanges } from './config-parts.ts'

const { offer } = defaultSiteFile()
const [first, ...others] = offer.prices

test('the same texts with their languages in another order are no change', () => {
  const name = Object.fromEntries(Object.entries(first?.name ?? {}).toReversed())
  const prices = [{ ...first, name }, ...others] as typeof offer.prices
  expect(Object.keys(name).length).toBeGreaterThan(1)
  expect(configChanges({ offer }, { offer: { ...offer, prices } })).toEqual([])
})

test('another order of a list is one change', () => {
  const ids = offer.prices.map(({ id }: { id: string }) => id)
  expect(configChanges({ offer }, { offer: { ...offer, prices: offer.prices.toReversed() } })).toEqual([
    { path: ['offer', 'prices'], before: ids, after: ids.toReversed() },
  ])
})
