import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  indentRow,
  itemsOf,
  type MenuRow,
  moveRow,
  outdentRow,
  pathOf,
  removeRow,
  restoreRow,
  rowsOf,
} from './menu-items.tsx'

const rows = (text: string): MenuRow[] =>
  text.split(' ').map((name) => {
    const key = name.replaceAll('-', '')
    return { key, depth: name.length - key.length, entry: { title: key } }
  })
const text = (list: MenuRow[]) => list.map(({ depth, key }) => '-'.repeat(depth) + key).join(' ')

describe('a menu item', () => {
  test.each([
    ['a b c', 0, 2, 'b c a'],
    ['a b c', 2, 0, 'c a b'],
    ['a b -c d', 3, 2, 'a b -d -c'],
    ['a b -c d', 0, 2, 'b -c a d'],
    ['a -b -c d', 0, 1, 'd a -b -c'],
    ['a -b -c d', 0, 3, 'd a -b -c'],
    ['d a -b -c', 1, 0, 'a -b -c d'],
    ['a -b', 1, 0, 'b a'],
    ['a -b c', 0, 2, 'c a -b'],
    ['a -b', 0, 1, 'a -b'],
    ['a b -c --d', 0, 3, 'b -c --d a'],
    ['a -b --c d', 3, 2, 'a -b --d --c'],
    ['a -b c -d -e', 0, 3, 'c -d -a --b -e'],
    ['c -d -e a -b', 3, 1, 'c -a --b -d -e'],
  ])('in the rows %j, moving row %i to the place of row %i gives %j', (before, from, to, after) => {
    expect(text(moveRow(rows(before), from, to))).toBe(after)
  })

  test('can be nested under the item before it, at any depth, and moved out again', () => {
    expect(text(indentRow(rows('a b c'), 1))).toBe('a -b c')
    expect(text(indentRow(rows('a -b -c'), 2))).toBe('a -b --c')
    expect(text(indentRow(rows('a b -c'), 1))).toBe('a -b --c')
    expect(text(indentRow(rows('a -b'), 1))).toBe('a -b')
    expect(text(indentRow(rows('a b'), 0))).toBe('a b')
    expect(text(outdentRow(rows('a -b -c d'), 1))).toBe('a -c b d')
    expect(text(outdentRow(rows('a -b --c --d e'), 2))).toBe('a -b --d -c e')
    expect(text(outdentRow(rows('a -b --c'), 1))).toBe('a b -c')
    expect(text(outdentRow(rows('a -b'), 0))).toBe('a -b')
  })

  test('is replaced by its submenu when it is removed', () => {
    expect(text(removeRow(rows('a -b --c d'), 0))).toBe('b -c d')
    expect(text(removeRow(rows('a -b c'), 1))).toBe('a c')
  })

  test.each([
    ['a b -c', 'b', 'a c x', 'a b -c x'],
    ['a b c', 'b', 'c a', 'c a b'],
    ['a b', 'b', 'a -x', 'a -x b'],
    ['a b -c -d', 'b', 'a -c d', 'a -c b -d'],
    ['a -b --c', 'b', 'a c', 'a -b c'],
    ['a b', 'a', 'x b', 'a x b'],
    ['a -b', 'b', '', 'b'],
    ['a b', 'b', 'a -b', 'a -b'],
  ])(
    'removed from the rows %j, the item %s is restored into the rows %j, which gives %j',
    (before, name, now, after) => {
      const all = rows(before)
      const row = all.find(({ key }) => key === name) as MenuRow
      expect(text(restoreRow(now ? rows(now) : [], all, row))).toBe(after)
    },
  )

  test('has the path that the API uses in errors', () => {
    const list = rows('a -b --c -d e -f')
    expect(list.map((_, index) => pathOf(list, index))).toEqual([
      '0',
      '0.submenu.0',
      '0.submenu.0.submenu.0',
      '0.submenu.1',
      '1',
      '1.submenu.0',
    ])
  })

  const depths = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 })
  const rowsOfDepths = (wanted: number[]) => {
    const list: MenuRow[] = []
    for (const [index, depth] of wanted.entries())
      list.push({
        key: String(index),
        depth: Math.min(depth, (list[index - 1]?.depth ?? -1) + 1),
        entry: { title: String(index) },
      })
    return list
  }

  test('is restored with its submenu if nothing else changed, and into valid rows after a move', () => {
    fc.assert(
      fc.property(depths, fc.nat(7), fc.nat(7), fc.nat(7), (wanted, removed, from, to) => {
        const before = rowsOfDepths(wanted)
        const row = before[removed % before.length] as MenuRow
        const without = removeRow(before, before.indexOf(row))
        expect(restoreRow(without, before, row)).toEqual(before)
        const moved = without.length === 0 ? [] : moveRow(without, from % without.length, to % without.length)
        const after = restoreRow(moved, before, row)
        expect(after.map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
        expect(rowsOf(itemsOf(after), (index) => after[index]?.key ?? '')).toEqual(after)
      }),
    )
  })

  test('is never lost by a move, and the rows match the stored items', () => {
    const change = fc.constantFrom(moveRow, indentRow, outdentRow)
    fc.assert(
      fc.property(depths, change, fc.nat(7), fc.nat(7), (wanted, make, from, to) => {
        const before = rowsOfDepths(wanted)
        const after = make(before, from % before.length, to % before.length)
        expect(after.map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
        expect(rowsOf(itemsOf(after), (index) => after[index]?.key ?? '')).toEqual(after)
      }),
    )
  })
})
