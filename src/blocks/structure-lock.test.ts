import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../contract/locks.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { type Field, fieldsOf } from './fields.ts'
import { type BlockType, blocks } from './registry.ts'
import { isTextOrImage, revertLockedChanges } from './structure-lock.ts'

const page: Lock = { page: true, blocks: new Set() }
const only = (...ids: string[]): Lock => ({ page: false, blocks: new Set(ids) })
const text = (body: object[], more: object = {}) => ({
  title: 'Werk',
  slug: 'werk',
  noindex: false,
  body: body as StoredBlock[],
  ...more,
})
const paragraph = (id: string, content = `<p>${id}</p>`) => ({ type: 'rich-text', id, content })
const button = (id: string, title: string, url = '/contact') => ({ type: 'cta', id, title: '', button: { title, url } })
const found = (was: object[], now: object[], lock: Lock, more?: object) =>
  revertLockedChanges(text(was), text(now, more), lock).problems.map(({ path, key }) => `${path} ${key}`)

describe('on a locked page', () => {
  const stored = [paragraph('a'), button('b', 'Bel ons'), paragraph('c')]

  test('texts of blocks and of the page itself may change', () => {
    const typed = [paragraph('a', '<p>Nieuw</p>'), button('b', 'Schrijf ons'), paragraph('c', '')]
    expect(found(stored, typed, page, { title: 'Anders' })).toEqual([])
  })

  test('blocks that were added, removed or moved are named, and put back without losing what was typed', () => {
    const now = [paragraph('c', '<p>C nieuw</p>'), paragraph('x'), paragraph('a', '<p>A nieuw</p>')]
    const { text: reverted, problems } = revertLockedChanges(text(stored), text(now), page)
    expect(problems).toEqual([
      { path: 'body.1', key: 'lockedRemoved' },
      { path: 'body.1', key: 'lockedAdded' },
      { path: 'body.0', key: 'lockedMoved' },
    ])
    expect(reverted.body).toEqual([
      paragraph('a', '<p>A nieuw</p>'),
      button('b', 'Bel ons'),
      paragraph('c', '<p>C nieuw</p>'),
    ])
  })

  test('a copy with the same id is an added block', () => {
    expect(found([paragraph('a')], [paragraph('a'), paragraph('a')], page)).toEqual(['body.1 lockedAdded'])
  })

  test('the address of the page and of its links, the style, classes and who sees a block stay', () => {
    const more = { style: { background: 'dark' }, showIf: 'logged-in', anchor: 'daar' }
    expect(found([paragraph('a')], [{ ...paragraph('a'), ...more }], page)).toEqual([
      'body.0.anchor locked',
      'body.0.style locked',
      'body.0.showIf locked',
    ])
    expect(found([], [], page, { slug: 'anders', noindex: true })).toEqual(['slug locked', 'noindex locked'])
  })

  test('a block of another type under the same id is refused', () => {
    expect(found([paragraph('a')], [button('a', 'Bel ons')], page)).toEqual(['body.0 locked'])
  })

  test('a rich text may lose links and change their words, and get no other address', () => {
    const linked = paragraph('a', '<p><a href="/een">een</a> <a href="/twee">twee</a></p>')
    expect(found([linked], [paragraph('a', '<p><a href="/twee">anders</a></p>')], page)).toEqual([])
    expect(found([linked], [paragraph('a', '<p><a href="https://boef.example/">een</a></p>')], page)).toEqual([
      'body.0.content lockedLink',
    ])
  })

  test('logos that were removed, moved or added are put back, each with its own link', () => {
    const logo = (name: string) => ({ name, url: `https://${name}.example` })
    const logos = (...names: string[]) => ({ type: 'logos', id: 'a', title: '', items: names.map(logo) })
    const stored = [logos('een', 'twee', 'drie')]
    for (const now of [logos('twee', 'drie'), logos('twee', 'een', 'drie'), logos('een', 'twee', 'vier', 'drie')]) {
      expect(revertLockedChanges(text(stored), text([now]), page).text.body).toEqual(stored)
    }
  })

  test('no block can be added to an empty page, and the last block cannot be removed', () => {
    expect(found([], [paragraph('a')], page)).toEqual(['body.0 lockedAdded'])
    expect(found([paragraph('a')], [], page)).toEqual(['body.0 lockedRemoved'])
  })
})

describe('a locked block on a page', () => {
  const stored = [paragraph('a'), button('b', 'Bel ons'), paragraph('c')]

  test('keeps its place among the others, which may come and go', () => {
    expect(found(stored, [paragraph('x'), button('b', 'Bel'), paragraph('y')], only('b'))).toEqual([])
    expect(found(stored, [paragraph('c'), button('b', 'Bel ons'), paragraph('a')], only('b'))).toEqual([
      'body.1 lockedMoved',
    ])
    expect(found(stored, [button('b', 'Bel ons'), paragraph('a'), paragraph('c')], only('b'))).toEqual([
      'body.0 lockedMoved',
    ])
  })

  test('is put back where it was', () => {
    const { text: reverted, problems } = revertLockedChanges(
      text(stored),
      text([paragraph('a'), paragraph('x')]),
      only('b'),
    )
    expect(problems).toEqual([{ path: 'body.1', key: 'lockedRemoved' }])
    expect(reverted.body.map(({ id }) => id)).toEqual(['a', 'b', 'x'])
  })

  test('keeps its links, while another block may change entirely', () => {
    const changed = [paragraph('a'), button('b', 'Bel ons', '/boef'), { ...paragraph('c'), style: { space: 'large' } }]
    expect(found(stored, changed, only('b'))).toEqual(['body.1.button.url locked'])
  })
})

describe('of each block', () => {
  const types = Object.keys(blocks) as BlockType[]

  test('only texts and images may change', () => {
    const kinds = (fields: readonly Field[]): [string, boolean][] =>
      fields.flatMap((field) =>
        'fields' in field ? kinds(field.fields) : [[field.kind, isTextOrImage(field)] as [string, boolean]],
      )
    const free = new Set(types.flatMap((type) => kinds(fieldsOf(type)).flatMap(([kind, is]) => (is ? [kind] : []))))
    expect([...free].toSorted()).toEqual(['image', 'imageOrLogo', 'richText', 'text', 'textarea', 'texts'])
  })

  test.each(types)('%s: changed texts are allowed, an added or removed list entry is not', (type) => {
    const stored = { type, id: 'a', ...blocks[type].defaults.nl } as unknown as StoredBlock
    expect(found([stored], [typed(stored, fieldsOf(type))], page)).toEqual([])
    for (const field of fieldsOf(type)) {
      const entries = (stored as unknown as Record<string, unknown>)[field.name]
      if (!Array.isArray(entries) || entries.length === 0) continue
      const problem = [`body.0.${field.name} lockedEntries`]
      expect(found([stored], [{ ...stored, [field.name]: entries.slice(1) }], page)).toEqual(problem)
      expect(found([stored], [{ ...stored, [field.name]: [...entries, entries[0]] }], page)).toEqual(problem)
    }
  })
})

/** The same values with other texts. */
function typed<Value>(value: Value, fields: readonly Field[]): Value {
  const of = (one: unknown, field: Field): unknown => {
    if (one === undefined) return one
    if (field.kind === 'objects') return (one as object[]).map((entry) => typed(entry, field.fields))
    if (field.kind === 'object') return typed(one, field.fields)
    if (field.kind === 'texts') return (one as string[]).map((line) => `${line}!`)
    return field.kind === 'text' || field.kind === 'textarea' || field.kind === 'richText' ? `${one}!` : one
  }
  const byName = Object.fromEntries(fields.map((field) => [field.name, of((value as never)[field.name], field)]))
  return { ...value, ...byName }
}

const ids = ['a', 'b', 'c', 'd'] as const
type Id = (typeof ids)[number]
const aBlock = fc.record({
  type: fc.constant('comparison'),
  id: fc.constantFrom(...ids),
  title: fc.constantFrom('', 'Een', 'Twee'),
  columns: fc.array(fc.record({ title: fc.constantFrom('x', 'y'), recommended: fc.boolean() }), { maxLength: 2 }),
})
const inOrder = (...of: Id[]) => of.map((id) => ({ type: 'comparison' as const, id, title: '' as const, columns: [] }))
const aBody = fc.uniqueArray(aBlock, { selector: ({ id }) => id, maxLength: 4 })
const aLock = fc.oneof(
  fc.constant(page),
  fc.array(fc.constantFrom('a', 'b', 'c')).map((ids) => only(...ids)),
)

test('for any change, reverting it gives an allowed text, and an allowed change is not reverted', () => {
  fc.assert(
    fc.property(aBody, aBody, aLock, (was, now, lock) => {
      const first = revertLockedChanges(text(was), text(now), lock)
      expect(revertLockedChanges(text(was), first.text, lock).problems).toEqual([])
      if (first.problems.length === 0) expect(first.text.body).toEqual(now)
      if (lock.page) expect(first.text.body.map(({ id }) => id)).toEqual(was.map(({ id }) => id))
    }),
    { examples: [[inOrder('d', 'b', 'a'), inOrder('b', 'd'), only('a')]] },
  )
})
