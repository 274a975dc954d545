import { expect, test } from 'vitest'
import { asText, readBlocks, withNewIds } from './blocks-on-clipboard.ts'

const line = { type: 'line', id: 'lijn-1' }
const link = { type: 'link', id: 'link-1', title: 'Bel ons', url: 'tel:+31430123456' }
const columns = { type: 'columns', id: 'kolommen-1', columns: [{ blocks: [line] }, { blocks: [link] }] }

test('what was copied is pasted as other blocks, those in columns too', () => {
  const [pasted] = readBlocks(asText([columns])) as [typeof columns]

  expect(pasted).toMatchObject({
    type: 'columns',
    columns: [{ blocks: [{ type: 'line' }] }, { blocks: [{ type: 'link' }] }],
  })
  const ids = [pasted.id, pasted.columns[0]?.blocks[0]?.id, pasted.columns[1]?.blocks[0]?.id]
  expect(ids).not.toContain(undefined)
  expect(new Set([...ids, columns.id, line.id, link.id]).size).toBe(6)
})

test('rich text is clean as soon as it is pasted', () => {
  const stolen = { type: 'content', content: '<p onclick="x()">Hoi<script>x()</script><img src=x onerror=x()></p>' }

  expect(readBlocks(asText([stolen]))).toMatchObject([{ content: '<p>Hoi</p>' }])
})

test('what the schema refuses is left out, and so is what may not stand there', () => {
  const bad = { type: 'link', title: 'x', url: 'javascript:alert(1)' }
  const text = JSON.stringify({ etalage: 'blocks', blocks: [bad, link, { type: 'marquee' }, null, 3, line] })

  expect(readBlocks(text).map(({ type }) => type)).toEqual(['link', 'line'])
  expect(readBlocks(text, ['line']).map(({ type }) => type)).toEqual(['line'])
})

test.each(['', 'Hoi', '[]', 'null', '{"etalage":"blocks","blocks":3}', '{"blocks":[{"type":"line"}]}'])(
  'the text %s holds no blocks',
  (text) => expect(readBlocks(text)).toEqual([]),
)

test('a copy keeps all but the id', () => {
  const { id, ...copy } = withNewIds(link)

  expect(id).not.toBe(link.id)
  expect({ ...copy, id: link.id }).toEqual(link)
})
