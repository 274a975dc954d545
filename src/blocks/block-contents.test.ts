import { expect, test } from 'vitest'
import { stylesheetsOf } from './block-contents.ts'

test('a page includes the stylesheet parts of the blocks in its columns, and no others', () => {
  const picture = { type: 'gallery', items: [] }
  const body = [
    { type: 'hero', title: 'x' },
    { type: 'columns', columns: [{ blocks: [picture] }, { blocks: [picture] }] },
  ]

  expect(stylesheetsOf(body)).toEqual(['columns', 'gallery', 'hero', 'image', 'prose'])
})

test('a page includes the stylesheet part of styles when a block has one, in a column too', () => {
  const picture = { background: 'picture', picture: '/brug.jpg' }
  const styled = { type: 'line', style: picture }
  const unstyled = { type: 'line', style: {} }

  expect(stylesheetsOf([{ type: 'hero' }, styled])).toEqual(['hero', 'image', 'prose', 'block-style'])
  const columns = { type: 'columns', columns: [{ blocks: [styled] }, { blocks: [] }] }
  expect(stylesheetsOf([{ type: 'hero' }, columns])).toContain('block-style')
  expect(stylesheetsOf([{ type: 'hero' }, unstyled])).not.toContain('block-style')
})
