import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepEqual } from './deep-equal.ts'
import { mergePage } from './merge-page.ts'
import type { DraftText } from './pages.ts'

interface Block {
  type: string
  id: string
  [field: string]: unknown
}

const text = (body: unknown[], more: Partial<DraftText> = {}): DraftText => ({
  title: 'Werk',
  slug: 'werk',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: body as DraftText['body'],
  ...more,
})
const textBlock = (id: string, content: string): Block => ({ type: 'rich-text', id, content })
const contents = (page: DraftText) => page.body.map((block) => (block as unknown as Block).content)

describe('changes of two users', () => {
  test('in different fields and blocks are both in the result, without conflicts', () => {
    const base = text([textBlock('a', 'Een'), textBlock('b', 'Twee')])
    const mine = text([textBlock('a', 'Een!'), textBlock('b', 'Twee')], { title: 'Ons werk' })
    const theirs = text([textBlock('a', 'Een'), textBlock('b', 'Twee!')], { noindex: true })
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged).toEqual(
      text([textBlock('a', 'Een!'), textBlock('b', 'Twee!')], { title: 'Ons werk', noindex: true }),
    )
  })

  test('of the style and of the text of one block are both in the result', () => {
    const styled = (content: string, style: object) => ({ ...textBlock('a', content), style })
    const base = text([styled('Een', { background: 'dark' })])
    const mine = text([styled('Een!', { background: 'dark' })])
    const theirs = text([styled('Een', { background: 'dark', edge: 'slant' })])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect([conflicts, merged]).toEqual([[], text([styled('Een!', { background: 'dark', edge: 'slant' })])])
    const first = mergePage(text([textBlock('a', 'Een')]), text([textBlock('a', 'Een!')]), base)
    expect([first.conflicts, first.text]).toEqual([[], text([styled('Een!', { background: 'dark' })])])
  })

  test('in the same field conflict, and mine is in the result', () => {
    const { text: merged, conflicts } = mergePage(
      text([textBlock('a', 'Een')]),
      text([textBlock('a', 'Uno')]),
      text([textBlock('a', 'Eins')]),
    )
    expect(conflicts).toEqual([{ field: 'content', block: 'a', base: 'Een', mine: 'Uno', theirs: 'Eins' }])
    expect(contents(merged)).toEqual(['Uno'])
  })

  test('that add blocks, at different or the same positions, are all in the result', () => {
    const base = text([textBlock('a', 'A'), textBlock('b', 'B')])
    const mine = text([textBlock('a', 'A'), textBlock('m', 'M'), textBlock('b', 'B')])
    const theirs = text([textBlock('a', 'A'), textBlock('t', 'T'), textBlock('b', 'B'), textBlock('u', 'U')])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(contents(merged)[0]).toBe('A')
    expect(contents(merged).slice(1, 3).sort()).toEqual(['M', 'T'])
    expect(contents(merged).slice(3)).toEqual(['B', 'U'])
  })

  test('a block that one moved and the other edited is at its new position with its new text', () => {
    const base = text([textBlock('a', 'A'), textBlock('b', 'B'), textBlock('c', 'C')])
    const mine = text([textBlock('c', 'C'), textBlock('a', 'A'), textBlock('b', 'B')])
    const theirs = text([textBlock('a', 'A'), textBlock('b', 'B'), textBlock('c', 'C!')])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect([contents(merged), conflicts]).toEqual([['C!', 'A', 'B'], []])
  })

  test('a deleted block is removed, unless the other edited it: then it stays and conflicts', () => {
    const base = text([textBlock('a', 'A'), textBlock('b', 'B')])
    const without = text([textBlock('b', 'B')])
    expect(mergePage(base, without, base).text.body).toEqual([textBlock('b', 'B')])
    const edited = text([textBlock('a', 'A!'), textBlock('b', 'B')])
    const { text: merged, conflicts } = mergePage(base, without, edited)
    expect(contents(merged)).toEqual(['A!', 'B'])
    expect(conflicts).toEqual([
      { field: 'body', block: 'a', base: textBlock('a', 'A'), mine: null, theirs: textBlock('a', 'A!') },
    ])
  })

  test('in nested blocks are merged as well', () => {
    const columns = (...inner: Block[][]) => ({
      type: 'columns',
      id: 'k',
      columns: inner.map((blocks) => ({ blocks })),
    })
    const base = text([columns([textBlock('a', 'A')], [textBlock('b', 'B')])])
    const mine = text([columns([textBlock('a', 'A!')], [textBlock('b', 'B')])])
    const theirs = text([columns([textBlock('a', 'A'), textBlock('n', 'N')], [textBlock('b', 'B!')])])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged.body).toEqual([columns([textBlock('a', 'A!'), textBlock('n', 'N')], [textBlock('b', 'B!')])])
  })

  test('that move blocks differently conflict', () => {
    const order = (...ids: string[]) => text(ids.map((id) => textBlock(id, id)))
    const { conflicts } = mergePage(order('a', 'b', 'c'), order('c', 'a', 'b'), order('b', 'a', 'c'))
    expect(conflicts).toEqual([
      { field: 'body', block: null, base: ['a', 'b', 'c'], mine: ['c', 'a', 'b'], theirs: ['b', 'a', 'c'] },
    ])
  })
})

/** One random change of a page. Generated words are unique. */
type Edit = { do: 'title' | 'edit' | 'delete' | 'add' | 'move' | 'inner'; at: number; to: number }
let words = 0
const word = (who: string) => `${who}${++words}`

const anEdit: fc.Arbitrary<Edit> = fc.record({
  do: fc.constantFrom('title', 'edit', 'delete', 'add', 'move', 'inner'),
  at: fc.nat(20),
  to: fc.nat(20),
}) as fc.Arbitrary<Edit>

function applyEdits(page: DraftText, edits: readonly Edit[], who: string): DraftText {
  const now = structuredClone(page) as unknown as Omit<DraftText, 'body'> & { body: Block[] }
  for (const edit of edits) {
    const index = now.body.length === 0 ? 0 : edit.at % now.body.length
    const block = now.body[index]
    if (edit.do === 'title') now.title = word(who)
    if (edit.do === 'edit' && block) block.content = word(who)
    if (edit.do === 'inner' && block) {
      const inner = (block.inner as Block[] | undefined) ?? []
      if (inner.length > 0 && edit.to % 2) (inner[edit.to % inner.length] as Block).content = word(who)
      else inner.push(textBlock(word(`${who}-id`), word(who)))
      block.inner = inner
    }
    if (edit.do === 'delete' && block) now.body.splice(index, 1)
    if (edit.do === 'add') now.body.splice(index, 0, textBlock(word(`${who}-id`), word(who)))
    if (edit.do === 'move' && block) {
      now.body.splice(index, 1)
      now.body.splice(edit.to % (now.body.length + 1), 0, block)
    }
  }
  return now as unknown as DraftText
}

const aPage = fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { maxLength: 6 }).map((blocks) =>
  text(
    blocks.map((inner, at) => ({
      ...textBlock(`b${at}`, `blok ${at}`),
      inner: inner.map((_, n) => textBlock(`b${at}-${n}`, `deel ${n}`)),
    })),
  ),
)
const edits = fc.array(anEdit, { maxLength: 8 })

/** All words in a page. */
const wordsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => (name === 'id' || name === 'type' ? [] : wordsIn(one)))
      : []

describe('for random changes of two users,', () => {
  test('every word that either typed is in the result or in a conflict', () => {
    fc.assert(
      fc.property(aPage, edits, edits, (base, one, other) => {
        const [mine, theirs] = [applyEdits(base, one, 'm'), applyEdits(base, other, 't')]
        const { text: merged, conflicts } = mergePage(base, mine, theirs)
        const known = new Set([...wordsIn(base)])
        const found = new Set([...wordsIn(merged), ...wordsIn(conflicts)])
        const typed = [...wordsIn(mine), ...wordsIn(theirs)].filter((word) => !known.has(word))
        expect(typed.filter((word) => !found.has(word))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('no block is duplicated, and blocks that both kept remain', () => {
    fc.assert(
      fc.property(aPage, edits, edits, (base, one, other) => {
        const [mine, theirs] = [applyEdits(base, one, 'm'), applyEdits(base, other, 't')]
        const ids = mergePage(base, mine, theirs).text.body.map((block) => (block as unknown as Block).id)
        expect(new Set(ids).size).toBe(ids.length)
        const inBoth = mine.body.filter((block) =>
          theirs.body.some((there) => (there as unknown as Block).id === (block as unknown as Block).id),
        )
        expect(ids).toEqual(expect.arrayContaining(inBoth.map((block) => (block as unknown as Block).id)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('the changes of one alone are the result, and identical changes do not conflict', () => {
    fc.assert(
      fc.property(aPage, edits, (base, one) => {
        const mine = applyEdits(base, one, 'm')
        for (const [a, b] of [
          [mine, base],
          [base, mine],
          [mine, structuredClone(mine)],
        ] as const) {
          const { text: merged, conflicts } = mergePage(base, a, b)
          expect(conflicts).toEqual([])
          expect(deepEqual(merged, mine)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('swapping the two gives the same result without conflicts, and mirrored conflicts otherwise', () => {
    fc.assert(
      fc.property(aPage, edits, edits, (base, one, other) => {
        const [mine, theirs] = [applyEdits(base, one, 'm'), applyEdits(base, other, 't')]
        const [here, there] = [mergePage(base, mine, theirs), mergePage(base, theirs, mine)]
        const fields = (list: typeof here.conflicts) => list.map(({ block, field }) => `${block} ${field}`).sort()
        expect(fields(here.conflicts)).toEqual(fields(there.conflicts))
        if (here.conflicts.length === 0) expect(deepEqual(here.text, there.text)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
