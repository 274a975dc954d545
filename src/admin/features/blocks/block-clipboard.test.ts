import { expect, test } from 'vitest'
import { parseBlocks, serializeBlocks, withNewIds } from './block-clipboard.ts'

const line = { type: 'line', id: 'lijn-1' }
const link = { type: 'link', id: 'link-1', title: 'Bel ons', url: 'tel:+31430123456' }
const columns = { type: 'columns', id: 'kolommen-1', columns: [{ blocks: [line] }, { blocks: [link] }] }

test('pasted blocks get new ids, also those in columns', () => {
  const [pasted] = parseBlocks(serializeBlocks([columns])) as [typeof columns]

  expect(pasted).toMatchObject({
    type: 'columns',
    columns: [{ blocks: [{ type: 'line' }] }, { blocks: [{ type: 'link' }] }],
  })
  const ids = [pasted.id, pasted.columns[0]?.blocks[0]?.id, pasted.columns[1]?.blocks[0]?.id]
  expect(ids).not.toContain(undefined)
  expect(new Set([...ids, columns.id, line.id, link.id]).size).toBe(6)
})

test('rich text is sanitised when it is pasted', () => {
  const stolen = { type: 'content', content: '<p onclick="x()">Hoi<script>x()</script><img src=x onerror=x()></p>' }

  expect(parseBlocks(serializeBlocks([stolen]))).toMatchObject([{ content: '<p>Hoi</p>' }])
})

test('invalid blocks, and blocks of a type that is not allowed at the target, are not pasted', () => {
  const bad = { type: 'link', title: 'x', url: 'javascript:alert(1)' }
  const text = JSON.stringify({ etalage: 'blocks', blocks: [bad, link, { type: 'marquee' }, null, 3, line] })

  expect(parseBlocks(text).map(({ type }) => type)).toEqual(['link', 'line'])
  expect(parseBlocks(text, ['line']).map(({ type }) => type)).toEqual(['line'])
})

test.each(['', 'Hoi', '[]', 'null', '{"etalage":"blocks","blocks":3}', '{"blocks":[{"type":"line"}]}'])(
  'the text %s holds no blocks',
  (text) => expect(parseBlocks(text)).toEqual([]),
)

test('a copy has a new id and all other values', () => {
  const { id, ...copy } = withNewIds(link)

  expect(id).not.toBe(link.id)
  expect({ ...copy, id: link.id }).toEqual(link)
})
