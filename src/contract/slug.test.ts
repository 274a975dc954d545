import { expect, test } from 'vitest'
import { slugFrom } from './slug.ts'

test.each([
  ['Café Zoë', 'nl', 'cafe-zoe'],
  ['Новый сайт: ёлка', 'ru', 'новый-сайт-ёлка'],
  ['Їжак', 'uk', 'їжак'],
  ['За\u0301мок', 'ru', 'замок'],
  ['Ελλάδα', 'el', 'ελλάδα'],
])('the address of "%s" in %s is %s', (title, locale, slug) => {
  expect(slugFrom(title, locale)).toBe(slug)
})
