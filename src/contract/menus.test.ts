import { expect, test } from 'vitest'
import { z } from 'zod'
import { findOwnMenu, type MenuBlock } from './header-menus.ts'
import { type MenuItem, menuItemsIn, menuPaths, menuTree, removeMenuItems } from './menus.ts'

/** An item by its title; it has an address unless its title is in capitals. */
const item = (title: string, ...submenu: MenuItem[]): MenuItem => ({
  title,
  className: '',
  submenu,
  ...(title === title.toLowerCase() && { url: `/${title}` }),
})
const outline = (tree: readonly MenuItem[]): string =>
  tree.map(({ title, submenu }) => title + (submenu.length > 0 ? `(${outline(submenu)})` : '')).join(' ')

const tree = [item('a', item('b'), item('c', item('d'))), item('E', item('f')), item('g')]

test('the submenu of a removed item takes its place, and an item that only opens a submenu is removed with its last entry', () => {
  const without = (...titles: string[]) => outline(removeMenuItems(tree, ({ title }) => titles.includes(title)))
  expect(without('a')).toBe('b c(d) E(f) g')
  expect(without('c')).toBe('a(b d) E(f) g')
  expect(without('f')).toBe('a(b c(d)) g')
  expect(without('a', 'c', 'f', 'g')).toBe('b d')
  expect(without('x')).toBe(outline(tree))
})

test('items are found at any depth, with their paths', () => {
  expect([...menuItemsIn(tree)].map(({ title }) => title).join(' ')).toBe('a b c d E f g')
  expect(menuPaths(tree, 'm').map(({ item, path }) => `${item.title} ${path}`)).toEqual([
    'a m.0',
    'b m.0.submenu.0',
    'c m.0.submenu.1',
    'd m.0.submenu.1.submenu.0',
    'E m.1',
    'f m.1.submenu.0',
    'g m.2',
  ])
})

test('ten levels and two hundred items are accepted, and not one more', () => {
  const schema = menuTree(z.custom<MenuItem>())
  const nested = (levels: number): MenuItem => (levels === 1 ? item('x') : item('x', nested(levels - 1)))
  expect(schema.safeParse([nested(10)]).success).toBe(true)
  expect(schema.safeParse([nested(11)]).error?.issues[0]?.message).toBe('menuTooDeep')
  const many = (count: number) => [item('x', ...Array.from({ length: count - 1 }, () => item('y')))]
  expect(schema.safeParse(many(200)).success).toBe(true)
  expect(schema.safeParse(many(201)).error?.issues[0]).toMatchObject({ code: 'too_big', maximum: 200 })
})

test('only the first menu of the header that everyone sees is taken over into the site menu', () => {
  const found = (...list: MenuBlock[]) => findOwnMenu(list)
  const own: MenuBlock = { type: 'menu', items: [item('a')] }
  expect(found({ type: 'line' }, { ...own, showIf: 'logged-in' }, own)).toEqual(own)
  expect(found({ type: 'menu', menu: 'main' }, own)).toBeUndefined()
  expect(found({ type: 'menu', items: [] })).toBeUndefined()
  expect(findOwnMenu(undefined)).toBeUndefined()
})
