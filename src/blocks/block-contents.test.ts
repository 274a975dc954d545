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
