import { describe, expect, test } from 'vitest'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { restoreBlock } from './puck-data.ts'

interface Columns extends StoredBlock {
  columns: { blocks: StoredBlock[] }[]
}
const text = (id: string): StoredBlock => ({ type: 'content', id })
const columns = (...ids: string[][]): Columns => ({
  type: 'columns',
  id: 'columns',
  columns: ids.map((list) => ({ blocks: list.map(text) })),
})

describe('a deleted block is restored', () => {
  const before = [text('a'), columns(['b'], ['c', 'd'])]

  test('to its place in the page, or to the end when the page became shorter', () => {
    expect(restoreBlock([before[1] as Columns], 'a', before)).toEqual(before)
    expect(restoreBlock([], 'columns', before)).toEqual([before[1]])
  })

  test('in the original order, when several were deleted one after the other', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(text) as [StoredBlock, StoredBlock, StoredBlock]
    const withA = restoreBlock([c], 'a', [a, b, c])
    expect(restoreBlock(withA, 'b', [b, c])).toEqual([a, b, c])
  })

  test('to its column, also when the columns were moved or got another column', () => {
    const now = [columns(['b'], ['d'], []), text('a')]
    expect(restoreBlock(now, 'c', before)).toEqual([columns(['b'], ['c', 'd'], []), text('a')])
  })

  test('not twice, and not when its column or all columns are gone', () => {
    for (const now of [[columns(['c'], [])], [columns(['b'])], [text('a')]]) {
      expect(restoreBlock(now, 'c', before)).toEqual(now)
    }
  })
})
