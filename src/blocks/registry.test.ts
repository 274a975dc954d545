import { expect, test } from 'vitest'
import { adminLocales } from '../contract/locales.ts'
import { blockGroups } from './define-block.ts'
import { blockSchema, blocks } from './registry.ts'

const all = Object.entries(blocks)

test('every block is registered under its own type and accepted by the schema', () => {
  expect(all.map(([type, block]) => [type, block.type])).toEqual(all.map(([type]) => [type, type]))
  expect(blockSchema.options.map((schema) => schema.shape.type.value)).toEqual(all.map(([type]) => type))
})

test.each(all)('the editor’s default for a block "%s" is valid in each language', (type, block) => {
  for (const locale of adminLocales) {
    expect(blockSchema.safeParse({ type, ...block.defaults[locale] }).error).toBeUndefined()
  }
})

test.each(all)('each field of a block "%s" has a label in each language', (_, block) => {
  for (const locale of adminLocales) {
    expect(Object.keys(block.labels[locale].fields)).toEqual(Object.keys(block.fields))
    expect(Object.values(block.labels[locale].fields).every((label) => label.length > 0)).toBe(true)
  }
})

test.each(all)('a block "%s" says in each language what it shows, and in which group it is found', (_, block) => {
  expect(blockGroups).toContain(block.group)
  for (const locale of adminLocales) expect(block.labels[locale].hint).toMatch(/.{10,}[.]$/)
})

test('a block with an unknown field is refused, so that a typing error is noticed', () => {
  expect(blockSchema.safeParse({ type: 'line', clasName: 'thin' }).success).toBe(false)
})

test('rich text is sanitized when it is parsed', () => {
  const read = blockSchema.parse({ type: 'rich-text', content: '<p onclick="x()">Hoi<script>x()</script></p>' })

  expect(read).toMatchObject({ content: '<p>Hoi</p>' })
})
