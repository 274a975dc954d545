import { readFileSync } from 'node:fs'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { markTexts, replaceMarked, type TypedElement, withText } from '../../src/admin/features/blocks/typed-fields.ts'
import type { RenderContext } from '../../src/blocks/define-block.ts'
import { entryListKey, entryListRequestOf } from '../../src/blocks/entry-list.tsx'
import { type Field, fieldsOf } from '../../src/blocks/fields.ts'
import { siteMenuItem } from '../../src/blocks/menu.tsx'
import { type BlockType, blockSchema, blocks } from '../../src/blocks/registry.ts'
import { renderHtml, renderText } from '../../src/blocks/render-text.tsx'
import { siteConfigSchema } from '../../src/contract/site-config.ts'
import { createRenderContext } from '../../src/site/render-context.ts'
import { filledBlock } from '../support/filled-blocks.ts'

type Values = Record<string, unknown>

/** Renders a block as the canvas does. @returns its HTML, and the texts that can be typed in it by their paths */
function onCanvas(type: BlockType, values: Values, kept?: string, locale: 'nl' | 'fa' = 'nl') {
  const context = contexts[locale]
  const typed: Record<string, TypedElement> = {}
  const { block, texts } = markTexts(fieldsOf(type), values, kept)
  const { View } = blocks[type] as unknown as { View: (block: Values, context: RenderContext) => ReactNode }
  const view = replaceMarked(View({ ...block, type }, context), {
    texts,
    fill: ({ field, value }) => (field.kind === 'richText' ? renderHtml : renderText)(value, context),
    render: (element) => {
      typed[element.typed.path] = element
      return createElement(element.as, { key: element.typed.path }, `typed:${element.typed.path}`)
    },
  })
  return { html: renderToStaticMarkup(view), typed }
}

const delivered = {
  ...JSON.parse(readFileSync('site.config.json', 'utf8')),
  collections: [
    { id: 'nieuws', name: { nl: 'Nieuws' }, slug: { nl: 'nieuws' }, order: 'newest', pageSize: 10, fields: [] },
  ],
}
const listed = { ...filledBlock('entry-list', 'Een tekst', []), from: 'nieuws' }
const contextIn = (locale: 'nl' | 'fa'): RenderContext => ({
  ...createRenderContext({
    site: siteConfigSchema(blockSchema, siteMenuItem).parse(delivered),
    menuPages: new Map(),
    locale,
    path: '/',
    now: new Date('2026-11-21T12:00:00Z'),
    viewer: undefined,
  }),
  renderNested: () => null,
  entryLists: new Map([
    [
      entryListKey(entryListRequestOf(listed as never) as never),
      [{ path: '/nieuws/een', title: 'Een', locale, values: [] }],
    ],
  ]),
})
const contexts = { nl: contextIn('nl'), fa: contextIn('fa') }

/** Alternative texts and the name of a video are attributes. The header's and the footer's blocks are not on the canvas. */
const isTyped = ({ kind, name, path }: Field, type: BlockType) =>
  ['text', 'textarea', 'richText', 'texts'].includes(kind) && name !== 'alt' && `${type}.${path}` !== 'video.title'
const types = (Object.keys(blocks) as BlockType[]).filter((type) => blocks[type].group !== 'site')

test.for(types)('%s: its texts can be edited in place on the canvas', (type) => {
  const block = type === 'entry-list' ? listed : filledBlock(type, 'Een tekst', [])
  const { html, typed } = onCanvas(type, block)
  expect(html).not.toMatch(/[\ue000\ue001]/)
  for (const field of fieldsOf(type).filter((one) => isTyped(one, type))) {
    expect(Object.keys(typed), field.path).toContain(field.kind === 'texts' ? `${field.name}.0` : field.name)
  }
})

test('texts in lists, in nested lists and in buttons have their own paths', () => {
  expect(Object.keys(onCanvas('faq', filledBlock('faq', 'Tekst')).typed)).toEqual(
    expect.arrayContaining(['title', 'items.0.question', 'items.0.answer']),
  )
  expect(Object.keys(onCanvas('services', filledBlock('services', 'Tekst')).typed)).toContain('items.0.points.0')
  expect(Object.keys(onCanvas('cta', filledBlock('cta', 'Tekst')).typed)).toContain('button.title')
})

test('a text is shown with its placeholders filled in, and edited with them in brackets', () => {
  const { title } = onCanvas('cta', { ...filledBlock('cta', 'Tekst'), title: '[brand] helpt' }).typed
  expect(title).toMatchObject({ shown: 'Maaslicht helpt', typed: { value: '[brand] helpt' }, as: 'h2' })
})

test('in Persian, digits are shown in Persian and edited as they are stored', () => {
  const items = [{ value: '100', label: 'مشتری', note: '' }]
  const { html, typed } = onCanvas('figures', { ...filledBlock('figures', 'متن', []), items }, undefined, 'fa')
  expect(typed['items.0.value']).toMatchObject({ shown: '۱۰۰', typed: { value: '100' } })
  expect(html).not.toMatch(/[\ue000-\ue019]/)
})

test('an empty optional text takes no room, unless it is being typed', () => {
  const hero = { ...filledBlock('hero', 'Tekst'), note: '' }
  expect(Object.keys(onCanvas('hero', hero).typed)).not.toContain('note')
  expect(Object.keys(onCanvas('hero', hero, 'note').typed)).toContain('note')
})

test('the answers of a FAQ block are open on the canvas, so that they can be edited', () => {
  expect(onCanvas('faq', filledBlock('faq', 'Tekst')).html).toContain('<details open="">')
})

test('changing a text changes only the value at its path', () => {
  const block = { items: [{ question: 'A', points: ['b', 'c'] }], title: 'T' }
  expect(withText(block, 'items.0.points.1', 'd')).toEqual({
    items: [{ question: 'A', points: ['b', 'd'] }],
    title: 'T',
  })
  expect(block.items[0]?.points).toEqual(['b', 'c'])
})
