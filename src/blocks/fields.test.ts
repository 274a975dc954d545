import { describe, expect, test } from 'vitest'
import { adminLocales } from '../contract/locales.ts'
import { choiceLabel, emptyEntry, type Field, fieldsOf, labelOf, newBlock } from './fields.ts'
import { type BlockType, blockSchema, blocks } from './registry.ts'

const types = Object.keys(blocks) as BlockType[]

/** Every field, including nested ones. */
const all = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => ('fields' in field ? [field, ...all(field.fields)] : [field]))

describe.each(types)('a block "%s"', (type) => {
  test('has a kind and translated labels for each field', () => {
    for (const locale of adminLocales) {
      for (const field of all(fieldsOf(type))) {
        expect([locale, field.path, labelOf(type, field, locale)]).not.toContain('')
        if (field.kind !== 'choice') continue
        for (const option of field.options) {
          expect([locale, field.path, option, choiceLabel(type, field, option, locale)]).not.toContain('')
        }
      }
    }
  })

  test('has no labels for fields that do not exist', () => {
    const paths = all(fieldsOf(type)).map(({ path }) => path)
    const choices = all(fieldsOf(type)).flatMap((field) =>
      field.kind === 'choice' ? ['', ...field.options].map((option) => `${field.path}.${option}`) : [],
    )
    for (const locale of adminLocales) {
      const labels = blocks[type].labels[locale] as { nestedFields?: object; choices?: object }
      expect(paths).toEqual(expect.arrayContaining(Object.keys(labels.nestedFields ?? {})))
      expect(choices).toEqual(expect.arrayContaining(Object.keys(labels.choices ?? {})))
    }
  })

  test('has a default id that its schema accepts', () => {
    const [one, other] = [newBlock(type, 'nl'), newBlock(type, 'nl')]
    expect(one.id).toMatch(/^[A-Za-z0-9-]{1,40}$/)
    expect(one.id).not.toBe(other.id)
    expect(blockSchema.safeParse(one).error).toBeUndefined()
  })
})

test('the kinds of the fields are derived from the schema of the block', () => {
  const kindsOf = (type: BlockType) => Object.fromEntries(all(fieldsOf(type)).map(({ path, kind }) => [path, kind]))
  expect(kindsOf('faq')).toEqual({
    anchor: 'anchor',
    title: 'text',
    items: 'objects',
    'items.question': 'text',
    'items.answer': 'richText',
    style: 'object',
    'style.background': 'choice',
    'style.picture': 'image',
    'style.space': 'choice',
    'style.width': 'choice',
    'style.align': 'choice',
    'style.edge': 'choice',
    showIf: 'choice',
  })
  expect(kindsOf('testimonial')).toMatchObject({ 'style.side': 'choice' })
  expect(kindsOf('columns')).toMatchObject({ columns: 'objects', 'columns.blocks': 'blocks' })
  expect(kindsOf('image')).toMatchObject({ src: 'imageOrLogo', url: 'url', className: 'className' })
  expect(kindsOf('services')).toMatchObject({ 'items.icon': 'icon', 'items.points': 'texts' })
  expect(fieldsOf('columns').find(({ name }) => name === 'columns')).toMatchObject({ minItems: 2, maxItems: 4 })
})

test('a column accepts blocks that are not full-width, and no columns', () => {
  const columns = all(fieldsOf('columns')).find((field) => field.kind === 'blocks')
  const plain = types.filter((type) => !('fullWidth' in blocks[type] && blocks[type].fullWidth) && type !== 'columns')
  expect([...(columns?.types ?? [])].sort()).toEqual(plain.sort())
})

test('a new list entry has the required fields', () => {
  const items = fieldsOf('services').find((field) => field.kind === 'objects')
  expect(emptyEntry(items?.fields ?? [])).toEqual({ icon: expect.any(String), title: '', description: '' })
})

test.each(['', 'met spatie', 'x'.repeat(41), 'x_1'])('"%s" is not a block id', (id) => {
  expect(blockSchema.safeParse({ type: 'line', id }).success).toBe(false)
})
