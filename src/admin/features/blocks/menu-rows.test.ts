import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemsOf, type MenuRow, movedRow, pathOf, rowIn, rowOut, rowsOf } from './menu-rows.ts'

const rows = (text: string): MenuRow[] =>
  text.split(' ').map((name) => ({
    key: name.replace('-', ''),
    depth: name.startsWith('-') ? 1 : 0,
    entry: { title: name.replace('-', '') },
  }))
const text = (list: MenuRow[]) => list.map(({ depth, key }) => (depth === 1 ? `-${key}` : key)).join(' ')

describe('an item of a menu', () => {
  test.each([
    ['a b c', 0, 2, 'b c a'],
    ['a b c', 2, 0, 'c a b'],
    ['a b -c d', 3, 2, 'a b -d -c'],
    ['a b -c d', 0, 2, 'b -c a d'],
    ['a -b -c d', 0, 1, 'd a -b -c'],
    ['a -b -c d', 0, 3, 'd a -b -c'],
    ['d a -b -c', 1, 0, 'a -b -c d'],
    ['a -b c -d -e', 0, 3, 'c -d -e a -b'],
    ['c -d -e a -b', 3, 1, 'a -b c -d -e'],
    ['a -b', 1, 0, 'b a'],
    ['a -b c', 0, 2, 'c a -b'],
    ['a -b', 0, 1, 'a -b'],
  ])('%j: row %i to the place of row %i is %j', (before, from, to, after) => {
    expect(text(movedRow(rows(before), from, to))).toBe(after)
  })

  test('goes into the submenu of the one before it, and out of it again', () => {
    expect(text(rowIn(rows('a b c'), 1))).toBe('a -b c')
    expect(text(rowIn(rows('a b'), 0))).toBe('a b')
    expect(text(rowOut(rows('a -b -c d'), 1))).toBe('a -c b d')
    expect(text(rowOut(rows('a -b'), 0))).toBe('a -b')
  })

  test('has a path by which the server names it', () => {
    const list = rows('a -b -c d -e')
    expect(list.map((_, index) => pathOf(list, index))).toEqual(['0', '0.submenu.0', '0.submenu.1', '1', '1.submenu.0'])
  })

  test('is lost by no move, and what is shown is what is stored', () => {
    const list = fc.array(fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(list, fc.nat(7), fc.nat(7), (depths, from, to) => {
        const before = depths.map(
          (depth, index): MenuRow => ({
            key: String(index),
            depth: index === 0 ? 0 : depth,
            entry: { title: String(index) },
          }),
        )
        const after = movedRow(before, from % before.length, to % before.length)
        expect(after.map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
        expect(after[0]?.depth).toBe(0)
        expect(rowsOf(itemsOf(after), (index) => after[index]?.key ?? '')).toEqual(after)
      }),
    )
  })
})
