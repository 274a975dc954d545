import { expect, test } from 'vitest'
import { sheetsOf } from './page-facts.ts'

test('a page brings the styles of what stands in its columns, and no others', () => {
  const picture = { type: 'gallery', items: [] }
  const body = [
    { type: 'hero', title: 'x' },
    { type: 'columns', columns: [{ blocks: [picture] }, { blocks: [picture] }] },
  ]

  expect(sheetsOf(body)).toEqual(['columns', 'gallery', 'hero', 'picture', 'prose'])
})
