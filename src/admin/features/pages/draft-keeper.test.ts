import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DraftText, DraftToSave, SavedDraft } from '../../../contract/pages.ts'
import { DraftKeeper, type DraftParts, type Trouble } from './draft-keeper.ts'
import type { KeptDraft } from './kept-drafts.ts'

const empty: DraftText = { title: '', slug: '', seoTitle: '', description: '', picture: '', noindex: false, body: [] }
const titled = (title: string, more: Partial<DraftText> = {}): DraftText => ({ ...empty, title, ...more })
const saved = titled('Over ons')

interface Sent {
  draft: DraftToSave
  leaving: boolean
  answer: (more?: Partial<SavedDraft>) => Promise<void>
  fail: (trouble: Trouble) => Promise<void>
}

class Failed extends Error {
  readonly trouble: Trouble
  constructor(trouble: Trouble) {
    super(trouble)
    this.trouble = trouble
  }
}

/** A server that answers when the test says so, and a browser's store that one can look into. */
function aKeeper(parts: Partial<DraftParts> = {}) {
  const sent: Sent[] = []
  let stored = 0
  const shown: DraftText[] = []
  const here: { kept: KeptDraft | undefined } = { kept: undefined }
  const soon = () => vi.advanceTimersByTimeAsync(0)
  const keeper = new DraftKeeper(
    {
      editor: 'editor-1',
      send: (draft, { leaving }) =>
        new Promise((resolve, reject) => {
          sent.push({
            draft,
            leaving,
            answer(more) {
              stored++
              resolve({ number: stored, savedAt: `2026-11-21T09:00:0${stored}.000Z`, ...more })
              return soon().then(() => {})
            },
            fail(trouble) {
              reject(new Failed(trouble))
              return soon().then(() => {})
            },
          })
        }),
      troubleOf: (error) => (error instanceof Failed ? error.trouble : 'unreachable'),
      keep: async (kept) => {
        here.kept = kept
        return true
      },
      // Field by field, and mine where both changed it: enough for what is looked at here.
      merge: (base, mine, theirs) =>
        Object.fromEntries(
          (Object.keys(mine) as (keyof DraftText)[]).map((field) => [
            field,
            JSON.stringify(mine[field]) === JSON.stringify(base[field]) ? theirs[field] : mine[field],
          ]),
        ) as DraftText,
      onMerged: (text) => shown.push(text),
      cursor: () => undefined,
      ...parts,
    },
    { text: saved, baseVersion: 3, knownNumber: 0 },
  )
  const phase = () => keeper.get().phase
  return { keeper, sent, shown, here, phase }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const last = (sent: Sent[]): Sent => {
  const one = sent.at(-1)
  if (!one) throw new Error('nothing was sent')
  return one
}

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

test('opening a page without a change makes no draft, nor does a change that was taken back', async () => {
  const { keeper, sent, here, phase } = aKeeper()
  await pass(60_000)
  keeper.leave()
  keeper.change({ ...saved })
  keeper.change(titled('Over onz'))
  keeper.change(titled('Over ons'))
  await pass(60_000)
  expect(sent).toEqual([])
  expect(here.kept).toBeUndefined()
  expect(phase()).toBe('clean')
})

test('a second after the last change it is sent, and it is kept in the browser until it is acknowledged', async () => {
  const { keeper, sent, here, phase } = aKeeper()
  keeper.change(titled('O'))
  await pass(700)
  keeper.change(titled('On'))
  await pass(999)
  expect(sent).toEqual([])
  expect(here.kept).toMatchObject({ editor: 'editor-1', baseVersion: 3, text: titled('On') })
  await pass(1)
  expect(sent.map(({ draft }) => draft)).toEqual([
    { text: titled('On'), editor: 'editor-1', number: 1, baseVersion: 3, knownNumber: 0 },
  ])
  expect(phase()).toBe('saving')
  expect(here.kept?.text.title).toBe('On')
  await last(sent).answer()
  expect(keeper.get()).toEqual({ phase: 'saved', savedAt: '2026-11-21T09:00:01.000Z', kept: true })
  expect(here.kept).toBeUndefined()
})

test('who types on and on is saved every ten seconds all the same', async () => {
  const { keeper, sent } = aKeeper()
  for (let second = 0; second < 24; second++) {
    keeper.change(titled(`Woord ${second}`))
    await pass(500)
    await last([...sent, { answer: async () => {} } as Sent]).answer()
  }
  expect(sent.map(({ draft }) => draft.text.title)).toEqual(['Woord 19'])
})

test('one save is under way at a time, and what was typed meanwhile goes out after it under a higher number', async () => {
  const { keeper, sent, here, phase } = aKeeper()
  keeper.change(titled('Een'))
  await pass(1_000)
  keeper.change(titled('Een twee'))
  await pass(5_000)
  expect(sent).toHaveLength(1)
  expect(phase()).toBe('saving')
  await last(sent).answer()
  expect(here.kept?.text.title).toBe('Een twee')
  expect(phase()).toBe('waiting')
  await pass(1_000)
  expect(last(sent).draft).toMatchObject({ number: 2, knownNumber: 1, text: { title: 'Een twee' } })
  await last(sent).answer()
  expect(phase()).toBe('saved')
})

test('an answer that never comes is not waited for, and when it comes late it changes nothing', async () => {
  const { keeper, sent, phase } = aKeeper()
  keeper.change(titled('Een'))
  await pass(1_000)
  keeper.change(titled('Een twee'))
  await pass(20_000)
  expect(keeper.get()).toMatchObject({ phase: 'failed', trouble: 'unreachable', kept: true })
  await pass(2_500)
  expect(last(sent).draft).toMatchObject({ number: 2, text: { title: 'Een twee' } })
  await last(sent).answer({ number: 9 })
  expect(phase()).toBe('saved')
  await sent[0]?.answer({ number: 8, merged: titled('oud') })
  expect(phase()).toBe('saved')
  expect(keeper.text.title).toBe('Een twee')
  expect(keeper.tab.knownNumber).toBe(9)
})

test('answers that come in the wrong order overwrite nothing', async () => {
  const { keeper, sent, shown, phase } = aKeeper()
  keeper.change(titled('Een'))
  await pass(1_000)
  keeper.change(titled('Een twee'))
  keeper.leave()
  expect(sent.map(({ draft, leaving }) => [draft.number, leaving])).toEqual([
    [1, false],
    [2, true],
  ])
  await sent[1]?.answer()
  expect(phase()).toBe('saved')
  await sent[0]?.answer({ merged: titled('van een ander tabblad') })
  expect(phase()).toBe('saved')
  expect(shown).toEqual([])
  expect(keeper.text.title).toBe('Een twee')
})

test('a failed save says so at once and why, is kept here, and is tried again after growing pauses', async () => {
  const { keeper, sent, here } = aKeeper()
  keeper.change(titled('Een'))
  await pass(1_000)
  await last(sent).fail('unreachable')
  expect(keeper.get()).toMatchObject({ phase: 'failed', trouble: 'unreachable', kept: true })
  expect(here.kept?.text.title).toBe('Een')

  const pauses: number[] = []
  for (let tried = 1; tried <= 8; tried++) {
    const from = Date.now()
    while (sent.length === tried) await pass(100)
    pauses.push(Date.now() - from)
    await last(sent).fail('unreachable')
  }
  for (const [index, pause] of pauses.slice(0, 4).entries()) {
    expect(pause).toBeGreaterThanOrEqual(1_500 * 2 ** index)
    expect(pause).toBeLessThanOrEqual(2_600 * 2 ** index)
  }
  expect(Math.max(...pauses)).toBeLessThanOrEqual(75_100)

  keeper.change(titled('Een twee'))
  keeper.retry()
  await pass(0)
  expect(last(sent).draft.text.title).toBe('Een twee')
  await last(sent).answer()
  expect(keeper.get()).toMatchObject({ phase: 'saved' })
  expect(keeper.get().trouble).toBeUndefined()
  expect(here.kept).toBeUndefined()
})

test('what the server refuses for what it says is sent again when something was changed, and not before', async () => {
  const { keeper, sent } = aKeeper()
  keeper.change(titled('Te lang'))
  await pass(1_000)
  await last(sent).fail('refused')
  await pass(600_000)
  expect(sent).toHaveLength(1)
  keeper.change(titled('Kort'))
  await pass(1_000)
  await last(sent).answer()
  expect(keeper.get().phase).toBe('saved')
})

test('a browser that keeps nothing is told of', async () => {
  const { keeper } = aKeeper({ keep: async () => false })
  keeper.change(titled('Een'))
  await pass(0)
  expect(keeper.get().kept).toBe(false)
})

test('on leaving it is sent at once, and a form that is gone sends nothing later', async () => {
  const { keeper, sent, here } = aKeeper()
  keeper.change(titled('Een'))
  keeper.end()
  expect(sent.map(({ leaving }) => leaving)).toEqual([true])
  await last(sent).fail('unreachable')
  await pass(600_000)
  expect(sent).toHaveLength(1)
  expect(here.kept?.text.title).toBe('Een')
})

describe('another tab of the same person wrote too', () => {
  test('both are shown, and what was typed since is not touched', async () => {
    const { keeper, sent, shown } = aKeeper()
    keeper.change(titled('Een'))
    await pass(1_000)
    keeper.change(titled('Een twee'))
    await last(sent).answer({ number: 7, merged: titled('Een', { description: 'van het andere' }) })
    expect(shown).toEqual([titled('Een twee', { description: 'van het andere' })])
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({
      knownNumber: 7,
      text: titled('Een twee', { description: 'van het andere' }),
    })
  })

  test('the field with the cursor waits until the cursor leaves it, and nothing of it is lost on the way', async () => {
    let cursor: keyof DraftText | undefined = 'description'
    const { keeper, sent, shown } = aKeeper({ cursor: () => cursor })
    keeper.change(titled('Een'))
    await pass(1_000)
    await last(sent).answer({ merged: titled('Een', { description: 'van het andere', seoTitle: 'ook' }) })
    expect(shown).toEqual([titled('Een', { seoTitle: 'ook' })])

    // Another field is changed meanwhile: the description of the other tab goes out with it.
    keeper.change({ ...(shown.at(-1) as DraftText), title: 'Een twee' })
    await pass(1_000)
    expect(last(sent).draft.text).toEqual(titled('Een twee', { description: 'van het andere', seoTitle: 'ook' }))
    await last(sent).answer()

    cursor = undefined
    keeper.cursorLeft()
    expect(shown.at(-1)).toEqual(titled('Een twee', { description: 'van het andere', seoTitle: 'ook' }))
    await pass(60_000)
    expect(sent).toHaveLength(2)
  })
})

describe('while the page itself is saved', () => {
  test('nothing goes out, what was under way counts no more, and what is typed meanwhile is a draft afterwards', async () => {
    const { keeper, sent, here, phase } = aKeeper()
    keeper.change(titled('Een'))
    await pass(1_000)
    keeper.hold()
    expect(keeper.tab).toEqual({ editor: 'editor-1', number: 1, knownNumber: 0 })
    await last(sent).answer({ merged: titled('te laat') })
    keeper.change(titled('Een twee'))
    keeper.leave()
    await pass(60_000)
    expect(sent).toHaveLength(1)

    keeper.restart({ text: titled('Een'), baseVersion: 4, knownNumber: 0 }, titled('Een twee'))
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({ number: 2, baseVersion: 4, knownNumber: 0, text: { title: 'Een twee' } })
    await last(sent).answer()
    keeper.restart({ text: titled('Een twee'), baseVersion: 5, knownNumber: 0 }, titled('Een twee'))
    await pass(60_000)
    expect(sent).toHaveLength(2)
    expect(phase()).toBe('clean')
    expect(here.kept).toBeUndefined()
  })

  test('a save that failed leaves a draft', async () => {
    const { keeper, sent, phase } = aKeeper()
    keeper.change(titled('Een'))
    await pass(1_000)
    keeper.hold()
    await pass(5_000)
    keeper.release()
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({ number: 2, text: { title: 'Een' } })
    await last(sent).answer()
    expect(phase()).toBe('saved')
  })
})
