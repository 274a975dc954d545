import { expect, test } from 'vitest'
import { questionsOf, showsVisitorsContactForm, splitStylesheets, stylesheetsOf } from './block-contents.ts'
import { inlineSections, withSections } from './section.tsx'

test('a page includes the stylesheet parts of the blocks in its columns, and no others', () => {
  const gallery = { type: 'gallery', items: [] }
  const body = [
    { type: 'hero', title: 'x' },
    { type: 'columns', columns: [{ blocks: [gallery] }, { blocks: [gallery] }] },
  ]

  expect(stylesheetsOf(body)).toEqual(['columns', 'gallery', 'hero', 'image', 'prose'])
})

test('a page includes the stylesheet for block styles when a block has a style, also in a column', () => {
  const style = { background: 'picture', picture: '/brug.jpg' }
  const styled = { type: 'line', style }
  const unstyled = { type: 'line', style: {} }

  expect(stylesheetsOf([{ type: 'hero' }, styled])).toEqual([
    'hero',
    'image',
    'prose',
    'block-style',
    'block-background',
  ])
  const columns = { type: 'columns', columns: [{ blocks: [styled] }, { blocks: [] }] }
  expect(stylesheetsOf([{ type: 'hero' }, columns])).toContain('block-style')
  expect(stylesheetsOf([{ type: 'hero' }, unstyled])).not.toContain('block-style')
})

const shared = (section: string) => ({ type: 'section', section })

test('a page includes what the blocks of its sections need, also of sections within sections', () => {
  const faq = { type: 'faq', items: [{ question: 'Wat?', answer: '<p>Dat.</p>' }] }
  const sections = new Map([
    ['a', { locale: 'nl' as const, body: [shared('b'), { type: 'line' }] }],
    ['b', { locale: 'nl' as const, body: [faq] }],
  ])
  const body = withSections([{ type: 'hero' }, shared('a')], sections, 9)

  expect(stylesheetsOf(body)).toEqual(['hero', 'prose', 'faq'])
  expect(questionsOf(body)).toEqual(faq.items)
  expect(inlineSections(body)).toEqual([{ type: 'hero' }, faq, { type: 'line' }])
})

test('search engines get no question of a FAQ block that only signed-in users see, also not from a section', () => {
  const faq = (question: string, more = {}) => ({ type: 'faq', items: [{ question, answer: '<p>Dat.</p>' }], ...more })
  const signedIn = { showIf: 'logged-in' }
  const sections = new Map([['a', { locale: 'nl' as const, body: [faq('In een sectie?')] }]])
  const body = [
    shared('a'),
    faq('Voor wie?', signedIn),
    { ...shared('a'), ...signedIn },
    faq('Hoe?', { showIf: 'logged-out' }),
  ]

  expect(questionsOf(withSections(body, sections, 9)).map(({ question }) => question)).toEqual([
    'In een sectie?',
    'Hoe?',
  ])
})

test('a section is never shown inside itself, and no more sections are shown than allowed', () => {
  const inTwice = [shared('b'), shared('b')]
  const sections = new Map([
    ['a', { locale: 'nl' as const, body: [...inTwice, shared('a')] }],
    ['b', { locale: 'nl' as const, body: [{ type: 'line' }] }],
  ])
  const shown = (most: number) => inlineSections(withSections([shared('a')], sections, most))

  expect(shown(9)).toEqual([{ type: 'line' }, { type: 'line' }])
  expect(shown(2)).toEqual([{ type: 'line' }])
})

test('a contact form that only signed-in users see is not shown to visitors', () => {
  const form = { type: 'contact-form', showIf: 'always' }
  const forStaff = { ...form, showIf: 'logged-in' }
  const columns = (blocks: object[], more = {}) => ({ type: 'columns', columns: [{ blocks }], ...more })
  const isShown = (...body: object[]) => showsVisitorsContactForm(body as never)
  expect([isShown(form), isShown({ ...form, showIf: 'logged-out' }), isShown(columns([form]))]).toEqual([
    true,
    true,
    true,
  ])
  const hidden = [forStaff, columns([forStaff]), columns([form], { showIf: 'logged-in' })]
  expect(hidden.map((block) => isShown(block))).toEqual([false, false, false])
  expect(isShown(forStaff, form)).toBe(true)
})

test('the stylesheet parts of the first block that everyone sees are apart from those of the blocks below it', () => {
  const hero = { type: 'hero', showIf: 'always' }
  const faq = { type: 'faq', showIf: 'always' }
  const welcome = { type: 'banner', showIf: 'logged-in' }
  const text = { type: 'rich-text', showIf: 'always', style: { space: 'small' } }

  expect(splitStylesheets([hero, faq])).toEqual({ upper: ['hero'], lower: ['faq'] })
  expect(splitStylesheets([welcome, hero, faq, hero])).toEqual({ upper: ['hero', 'banner'], lower: ['faq'] })
  // A title stands above the first block; the styles of blocks follow all others.
  expect(splitStylesheets([text, faq, text])).toEqual({
    upper: ['prose', 'block-style'],
    lower: ['faq', 'block-style'],
  })
  expect(splitStylesheets([welcome])).toEqual({ upper: ['prose', 'banner'], lower: [] })
})
