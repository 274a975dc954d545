import { describe, expect, test } from 'vitest'
import { adminLocales } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { blocksWithSampleText } from './block-contents.ts'
import { newBlock } from './fields.ts'
import type { BlockType } from './registry.ts'

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
  ] satisfies BlockType[])('a new block %s says what nobody would publish', (type) =>
    expect(typesIn([newBlock(type, locale)])).toEqual([type]),
  )

  test.each(['cta', 'link', 'menu', 'contact-form', 'pricing', 'line', 'image', 'logos'] satisfies BlockType[])(
    'the words of a new %s may stay',
    (type) => expect(typesIn([newBlock(type, locale)])).toEqual([]),
  )

  test('the texts of new columns are all sample texts', () => {
    expect(typesIn([newBlock('columns', locale)])).toEqual(['content', 'content'])
  })
})

test('a replaced text is no longer a sample; a forgotten one still is', () => {
  const replaced = { ...newBlock('testimonial', 'nl'), quote: 'Snel en goed.' }
  expect(typesIn([replaced])).toEqual(['testimonial'])
  expect(typesIn([{ ...replaced, name: 'Roya Moradi' }])).toEqual([])
})

test('one sample entry in a list is enough', () => {
  const faq = newBlock('faq', 'nl') as unknown as { items: object[] }
  const items = [{ question: 'Wat kost het?', answer: '<p>Dat spreken wij af.</p>' }, ...faq.items]
  expect(typesIn([{ ...faq, items }])).toEqual(['faq'])
})

test('a block of a later program version is ignored', () => {
  expect(typesIn([{ type: 'later', title: 'Titel' }])).toEqual([])
})
