import { expect, test } from 'vitest'
import type { NamedPage } from '../../../contract/menus.ts'
import { menuItemTitle } from './named-pages.ts'

test('a menu calls a page by its title in the current language, else in the main language, even if it has a hidden Dutch one', () => {
  const text = (title: string) => ({ title, slug: title.toLowerCase(), isLive: true })
  const texts = { nl: text('Diensten'), en: text('Services') }
  const pages = new Map([[3, { id: 3, ...texts, fa: null, texts, inTrash: false, isHidden: false } as NamedPage]])
  expect(menuItemTitle({ page: 3 }, pages, 'fa', 'en')).toBe('Services')
  expect(menuItemTitle({ page: 3 }, pages, 'nl', 'en')).toBe('Diensten')
})
