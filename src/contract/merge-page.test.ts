import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergePage, same } from './merge-page.ts'
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
const say = (id: string, content: string): Block => ({ type: 'rich-text', id, content })
const contents = (page: DraftText) => page.body.map((block) => (block as unknown as Block).content)

describe('what two people changed', () => {
  test('in different fields and blocks stands in the result, and collides nowhere', () => {
    const base = text([say('a', 'Een'), say('b', 'Twee')])
    const mine = text([say('a', 'Een!'), say('b', 'Twee')], { title: 'Ons werk' })
    const theirs = text([say('a', 'Een'), say('b', 'Twee!')], { noindex: true })
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged).toEqual(text([say('a', 'Een!'), say('b', 'Twee!')], { title: 'Ons werk', noindex: true }))
  })

  test('in the same field collides, and mine stands in the result', () => {
    const { text: merged, conflicts } = mergePage(
      text([say('a', 'Een')]),
      text([say('a', 'Uno')]),
      text([say('a', 'Eins')]),
    )
    expect(conflicts).toEqual([{ field: 'content', block: 'a', base: 'Een', mine: 'Uno', theirs: 'Eins' }])
    expect(contents(merged)).toEqual(['Uno'])
  })

  test('by adding blocks at different places and at the same stands there all', () => {
    const base = text([say('a', 'A'), say('b', 'B')])
    const mine = text([say('a', 'A'), say('m', 'M'), say('b', 'B')])
    const theirs = text([say('a', 'A'), say('t', 'T'), say('b', 'B'), say('u', 'U')])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(contents(merged)[0]).toBe('A')
    expect(contents(merged).slice(1, 3).sort()).toEqual(['M', 'T'])
    expect(contents(merged).slice(3)).toEqual(['B', 'U'])
  })

  test('a block that one moved and the other edited stands in its new place with its new words', () => {
    const base = text([say('a', 'A'), say('b', 'B'), say('c', 'C')])
    const mine = text([say('c', 'C'), say('a', 'A'), say('b', 'B')])
    const theirs = text([say('a', 'A'), say('b', 'B'), say('c', 'C!')])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect([contents(merged), conflicts]).toEqual([['C!', 'A', 'B'], []])
  })

  test('a block that one deleted goes, unless the other edited it: then it stays, and both are asked', () => {
    const base = text([say('a', 'A'), say('b', 'B')])
    const without = text([say('b', 'B')])
    expect(mergePage(base, without, base).text.body).toEqual([say('b', 'B')])
    const edited = text([say('a', 'A!'), say('b', 'B')])
    const { text: merged, conflicts } = mergePage(base, without, edited)
    expect(contents(merged)).toEqual(['A!', 'B'])
    expect(conflicts).toEqual([{ field: 'body', block: 'a', base: say('a', 'A'), mine: null, theirs: say('a', 'A!') }])
  })

  test('in blocks that stand in a block is joined as well', () => {
    const columns = (...inner: Block[][]) => ({
      type: 'columns',
      id: 'k',
      columns: inner.map((blocks) => ({ blocks })),
    })
    const base = text([columns([say('a', 'A')], [say('b', 'B')])])
    const mine = text([columns([say('a', 'A!')], [say('b', 'B')])])
    const theirs = text([columns([say('a', 'A'), say('n', 'N')], [say('b', 'B!')])])
    const { text: merged, conflicts } = mergePage(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged.body).toEqual([columns([say('a', 'A!'), say('n', 'N')], [say('b', 'B!')])])
  })

  test('by moving blocks in two ways collides', () => {
    const order = (...ids: string[]) => text(ids.map((id) => say(id, id)))
    const { conflicts } = mergePage(order('a', 'b', 'c'), order('c', 'a', 'b'), order('b', 'a', 'c'))
    expect(conflicts).toEqual([
      { field: 'body', block: null, base: ['a', 'b', 'c'], mine: ['c', 'a', 'b'], theirs: ['b', 'a', 'c'] },
    ])
  })
})

/** One thing that somebody does to a page. Words are never the same twice. */
type Deed = { do: 'title' | 'edit' | 'delete' | 'add' | 'move' | 'inner'; at: number; to: number }
let words = 0
const word = (who: string) => `${who}${++words}`

const aDeed: fc.Arbitrary<Deed> = fc.record({
  do: fc.constantFrom('title', 'edit', 'delete', 'add', 'move', 'inner'),
  at: fc.nat(20),
  to: fc.nat(20),
}) as fc.Arbitrary<Deed>

function done(page: DraftText, deeds: readonly Deed[], who: string): DraftText {
  const now = structuredClone(page) as unknown as Omit<DraftText, 'body'> & { body: Block[] }
  for (const deed of deeds) {
    const index = now.body.length === 0 ? 0 : deed.at % now.body.length
    const block = now.body[index]
    if (deed.do === 'title') now.title = word(who)
    if (deed.do === 'edit' && block) block.content = word(who)
    if (deed.do === 'inner' && block) {
      const inner = (block.inner as Block[] | undefined) ?? []
      if (inner.length > 0 && deed.to % 2) (inner[deed.to % inner.length] as Block).content = word(who)
      else inner.push(say(word(`${who}-id`), word(who)))
      block.inner = inner
    }
    if (deed.do === 'delete' && block) now.body.splice(index, 1)
    if (deed.do === 'add') now.body.splice(index, 0, say(word(`${who}-id`), word(who)))
    if (deed.do === 'move' && block) {
      now.body.splice(index, 1)
      now.body.splice(deed.to % (now.body.length + 1), 0, block)
    }
  }
  return now as unknown as DraftText
}

const aPage = fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { maxLength: 6 }).map((blocks) =>
  text(
    blocks.map((inner, at) => ({
      ...say(`b${at}`, `blok ${at}`),
      inner: inner.map((_, n) => say(`b${at}-${n}`, `deel ${n}`)),
    })),
  ),
)
const deeds = fc.array(aDeed, { maxLength: 8 })

/** Every word in a page, wherever it stands. */
const wordsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => (name === 'id' || name === 'type' ? [] : wordsIn(one)))
      : []

describe('whatever two people do to a page,', () => {
  test('every word that either typed is in the result or among what collides', () => {
    fc.assert(
      fc.property(aPage, deeds, deeds, (base, one, other) => {
        const [mine, theirs] = [done(base, one, 'm'), done(base, other, 't')]
        const { text: merged, conflicts } = mergePage(base, mine, theirs)
        const known = new Set([...wordsIn(base)])
        const found = new Set([...wordsIn(merged), ...wordsIn(conflicts)])
        const typed = [...wordsIn(mine), ...wordsIn(theirs)].filter((said) => !known.has(said))
        expect(typed.filter((said) => !found.has(said))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test('no block stands twice, and what both kept is there', () => {
    fc.assert(
      fc.property(aPage, deeds, deeds, (base, one, other) => {
        const [mine, theirs] = [done(base, one, 'm'), done(base, other, 't')]
        const ids = mergePage(base, mine, theirs).text.body.map((block) => (block as unknown as Block).id)
        expect(new Set(ids).size).toBe(ids.length)
        const kept = mine.body.filter((block) =>
          theirs.body.some((there) => (there as unknown as Block).id === (block as unknown as Block).id),
        )
        expect(ids).toEqual(expect.arrayContaining(kept.map((block) => (block as unknown as Block).id)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('the result of one alone is what they made, and the same from both is no conflict', () => {
    fc.assert(
      fc.property(aPage, deeds, (base, one) => {
        const mine = done(base, one, 'm')
        for (const [a, b] of [
          [mine, base],
          [base, mine],
          [mine, structuredClone(mine)],
        ] as const) {
          const { text: merged, conflicts } = mergePage(base, a, b)
          expect(conflicts).toEqual([])
          expect(same(merged, mine)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('it does not hang on whose turn it is: without a conflict the result is the same, and conflicts are mirrored', () => {
    fc.assert(
      fc.property(aPage, deeds, deeds, (base, one, other) => {
        const [mine, theirs] = [done(base, one, 'm'), done(base, other, 't')]
        const [here, there] = [mergePage(base, mine, theirs), mergePage(base, theirs, mine)]
        const places = (list: typeof here.conflicts) => list.map(({ block, field }) => `${block} ${field}`).sort()
        expect(places(here.conflicts)).toEqual(places(there.conflicts))
        if (here.conflicts.length === 0) expect(same(here.text, there.text)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
