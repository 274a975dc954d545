import { expect, test } from 'vitest'
import { blockGroups } from '../../../blocks/define-block.ts'
import { blocks } from '../../../blocks/registry.ts'
import { groupedTypes, pageBlockTypes } from './block-choices.ts'

const all = Object.keys(blocks) as (keyof typeof blocks)[]
const found = (search: string, locale: 'nl' | 'fa') => groupedTypes(all, search, locale).flatMap(({ types }) => types)

test('without a search every block is in its group, in the order of the groups', () => {
  const groups = groupedTypes(all, ' ', 'nl')
  expect(groups.flatMap(({ types }) => types).sort()).toEqual([...all].sort())
  expect(groups.map(({ group }) => group)).toEqual(
    blockGroups.filter((one) => groups.some(({ group }) => group === one)),
  )
})

test('blocks of the header and the footer are not offered for pages', () => {
  expect(pageBlockTypes).not.toContain('menu')
  expect(pageBlockTypes).not.toContain('footer-links')
  expect(pageBlockTypes).toContain('hero')
})

test('a search looks in the name and the description of a block, and ignores case and accents', () => {
  expect(found('VRÁGEN', 'nl')).toContain('faq')
  expect(found('openklappen antwoord', 'nl')).toEqual(['faq'])
  expect(found('„openklappen”', 'nl')).toEqual(['faq'])
  expect(found('geen blok heet zo', 'nl')).toEqual([])
})

test('a search finds a block by the names that other page builders use', () => {
  for (const word of ['hero', 'header', 'banner']) expect(found(word, 'nl')).toContain('hero')
  for (const word of ['reviews', 'recensies', 'referenties']) expect(found(word, 'nl')).toContain('testimonials')
  expect(found('medewerkers', 'nl')).toContain('team')
  expect(found('button', 'nl')).toContain('link')
  for (const word of ['prijs', 'tarief']) expect(found(word, 'nl')).toContain('pricing')
  expect(found('openingstijden', 'nl')).toEqual(['contact-form'])
  expect(found('گالری', 'fa')).toEqual(['gallery'])
})

test('a search in Persian accepts Arabic characters and no half-spaces', () => {
  expect(found('پرسش‌هایی', 'fa')).toEqual(['faq'])
  expect(found('پرسشهايي', 'fa')).toEqual(['faq'])
})
