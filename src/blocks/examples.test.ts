import { describe, expect, test } from 'vitest'
import { adminLocales } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { newBlock } from './fields.ts'
import type { BlockType } from './registry.ts'
import { blocksWithSampleText } from './sample-texts.ts'

const typesIn = (body: readonly object[]) => blocksWithSampleText(body as StoredBlock[]).map(({ type }) => type)

describe.each(adminLocales)('in %s', (locale) => {
  test.each([
    'content',
    'rich-text',
    'icon',
    'services',
    'faq',
    'hero',
    'testimonial',
    'text-image',
    'cases',
    'testimonials',
    'figures',
    'team',
    'steps',
  ] satisfies BlockType[])('a new block %s contains sample text that must be replaced', (type) =>
    expect(typesIn([newBlock(type, locale)])).toEqual([type]),
  )

  test.each(['cta', 'link', 'menu', 'contact-form', 'pricing', 'line', 'image', 'logos'] satisfies BlockType[])(
    'the text of a new block %s can stay, and does not count as sample text',
    (type) => expect(typesIn([newBlock(type, locale)])).toEqual([]),
  )

  test('a new columns block contains sample text in each column', () => {
    expect(typesIn([newBlock('columns', locale)])).toEqual(['content', 'content'])
  })
})

test('a block counts as sample text until all its sample texts are replaced', () => {
  const replaced = { ...newBlock('testimonial', 'nl'), quote: 'Snel en goed.' }
  expect(typesIn([replaced])).toEqual(['testimonial'])
  expect(typesIn([{ ...replaced, name: 'Roya Moradi' }])).toEqual([])
})

test('one sample entry in a list makes the whole block count as sample text', () => {
  const faq = newBlock('faq', 'nl') as unknown as { items: object[] }
  const items = [{ question: 'Wat kost het?', answer: '<p>Dat spreken wij af.</p>' }, ...faq.items]
  expect(typesIn([{ ...faq, items }])).toEqual(['faq'])
})

test('a block of a later program version is ignored', () => {
  expect(typesIn([{ type: 'later', title: 'Titel' }])).toEqual([])
})
