import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DraftToSave, SavedDraft, StaleDraft } from '../../../contract/drafts.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { DraftAutosave, type DraftAutosaveOptions, type SendFailure } from './draft-autosave.ts'
import type { LocalDraft } from './local-drafts.ts'

const empty: DraftText = { title: '', slug: '', seoTitle: '', description: '', picture: '', noindex: false, body: [] }
const titled = (title: string, more: Partial<DraftText> = {}): DraftText => ({ ...empty, title, ...more })
const saved = titled('Over ons')

interface Sent {
  draft: DraftToSave
  unloading: boolean
  answer: (more?: Partial<SavedDraft>) => Promise<void>
  fail: (failure: SendFailure) => Promise<void>
  /** Responds that the draft is stale. */
  refuse: (current: Pick<StaleDraft, 'text' | 'revision'> & Partial<StaleDraft>) => Promise<void>
}

class Failed extends Error {
  readonly failure: SendFailure
  readonly current: StaleDraft | undefined
  constructor(failure: SendFailure, current?: StaleDraft) {
    super(failure)
    this.failure = failure
    this.current = current
  }
}

/** A server that responds when the test tells it to, and a browser store that the test can read. */
function anAutosave(parts: Partial<DraftAutosaveOptions> = {}) {
  const sent: Sent[] = []
  let stored = 0
  const shown: DraftText[] = []
  const local: { draft: LocalDraft | undefined } = { draft: undefined }
  const soon = () => vi.advanceTimersByTimeAsync(0).then(() => {})
  const autosave = new DraftAutosave(
    {
      tabId: 'tab-1',
      send: (draft, { unloading }) =>
        new Promise((resolve, reject) => {
          sent.push({
            draft,
            unloading,
            answer(more) {
              stored++
              resolve({ revision: draft.revision + 1, savedAt: `2026-11-21T09:00:0${stored}.000Z`, ...more })
              return soon()
            },
            fail(failure) {
              reject(new Failed(failure))
              return soon()
            },
            refuse(current) {
              reject(new Failed('refused', { baseVersion: 3, savedAt: '2026-11-21T08:59:00.000Z', ...current }))
              return soon()
            },
          })
        }),
      failureOf: (error) => (error instanceof Failed ? error.failure : 'unreachable'),
      staleDraftIn: (error) => (error instanceof Failed ? error.current : undefined),
      store: async (draft) => {
        local.draft = draft
        return true
      },
      // Merges per field, and prefers mine on a conflict: enough for these tests.
      merge: (base, mine, theirs) =>
        Object.fromEntries(
          (Object.keys(mine) as (keyof DraftText)[]).map((field) => [
            field,
            JSON.stringify(mine[field]) === JSON.stringify(base[field]) ? theirs[field] : mine[field],
          ]),
        ) as DraftText,
      onMerged: (text) => shown.push(text),
      focusedField: () => undefined,
      ...parts,
    },
    { text: saved, baseVersion: 3, revision: 0 },
  )
  const phase = () => autosave.getState().phase
  return { autosave, sent, shown, local, phase }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const last = (sent: Sent[]): Sent => {
  const one = sent.at(-1)
  if (!one) throw new Error('nothing was sent')
  return one
}

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

test('no draft is sent without a change, nor after a change that was undone', async () => {
  const { autosave, sent, local, phase } = anAutosave()
  await pass(60_000)
  autosave.sendBeforeUnload()
  autosave.change({ ...saved })
  autosave.change(titled('Over onz'))
  autosave.change(titled('Over ons'))
  await pass(60_000)
  expect(sent).toEqual([])
  expect(local.draft).toBeUndefined()
  expect(phase()).toBe('clean')
})

test('a draft is sent a second after the last change, and stored in the browser until it is acknowledged', async () => {
  const { autosave, sent, local, phase } = anAutosave()
  autosave.change(titled('O'))
  await pass(700)
  autosave.change(titled('On'))
  await pass(999)
  expect(sent).toEqual([])
  expect(local.draft).toMatchObject({ editor: 'tab-1', baseVersion: 3, text: titled('On') })
  await pass(1)
  expect(sent.map(({ draft }) => draft)).toEqual([{ text: titled('On'), baseVersion: 3, revision: 0 }])
  expect(phase()).toBe('saving')
  expect(local.draft?.text.title).toBe('On')
  await last(sent).answer()
  expect(autosave.getState()).toEqual({ phase: 'saved', savedAt: '2026-11-21T09:00:01.000Z', storedLocally: true })
  expect(local.draft).toBeUndefined()
})

test('during continuous typing a draft is saved every ten seconds', async () => {
  const { autosave, sent } = anAutosave()
  for (let second = 0; second < 24; second++) {
    autosave.change(titled(`Woord ${second}`))
    await pass(500)
    await last([...sent, { answer: async () => {} } as Sent]).answer()
  }
  expect(sent.map(({ draft }) => draft.text.title)).toEqual(['Woord 19'])
})

test('a failed save of a change that was undone meanwhile leaves nothing unsaved, and later changes are sent', async () => {
  const { autosave, sent, local, phase } = anAutosave()
  autosave.change(titled('Over onz'))
  await pass(1_000)
  autosave.change(titled('Over ons'))
  await last(sent).fail('unreachable')
  expect(phase()).toBe('clean')
  expect(local.draft).toBeUndefined()
  await pass(60_000)
  autosave.change(titled('Over ons allen'))
  await pass(1_000)
  expect(sent.map(({ draft }) => draft.text.title)).toEqual(['Over onz', 'Over ons allen'])
})

test('one save runs at a time, and later changes are sent after it with its revision as their base', async () => {
  const { autosave, sent, local, phase } = anAutosave()
  autosave.change(titled('Een'))
  await pass(1_000)
  autosave.change(titled('Een twee'))
  await pass(5_000)
  expect(sent).toHaveLength(1)
  expect(phase()).toBe('saving')
  await last(sent).answer()
  expect(local.draft?.text.title).toBe('Een twee')
  expect(phase()).toBe('waiting')
  await pass(1_000)
  expect(last(sent).draft).toMatchObject({ revision: 1, text: { title: 'Een twee' } })
  await last(sent).answer()
  expect(phase()).toBe('saved')
})

test('a request without a response is repeated after a timeout, and a late response changes nothing', async () => {
  const { autosave, sent, phase } = anAutosave()
  autosave.change(titled('Een'))
  await pass(1_000)
  autosave.change(titled('Een twee'))
  await pass(20_000)
  expect(autosave.getState()).toMatchObject({ phase: 'failed', failure: 'unreachable', storedLocally: true })
  await pass(2_500)
  expect(last(sent).draft).toMatchObject({ revision: 0, text: { title: 'Een twee' } })
  await last(sent).answer({ revision: 1 })
  expect(phase()).toBe('saved')
  await sent[0]?.answer({ revision: 8 })
  expect(phase()).toBe('saved')
  expect(autosave.text.title).toBe('Een twee')
  expect(autosave.revision).toBe(1)
})

test('a save whose response was lost is recognised, and a change that was undone since stays undone', async () => {
  const { autosave, sent, shown, phase } = anAutosave()
  autosave.change(titled('Een', { description: 'weg ermee' }))
  await pass(1_000)
  await last(sent).fail('unreachable')
  autosave.change(titled('Een'))
  await pass(3_000)
  await last(sent).refuse({ revision: 1, text: titled('Een', { description: 'weg ermee' }) })
  await pass(1_000)
  expect(last(sent).draft).toMatchObject({ revision: 1, text: titled('Een') })
  await last(sent).answer()
  expect(shown).toEqual([])
  expect(phase()).toBe('saved')
})

test('the last text is stored in the end, whichever of two simultaneous saves succeeds', async () => {
  for (const first of [0, 1] as const) {
    const { autosave, sent, shown, phase } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    autosave.change(titled('Een twee'))
    autosave.sendBeforeUnload()
    expect(sent.map(({ draft, unloading }) => [draft.revision, unloading])).toEqual([
      [0, false],
      [0, true],
    ])
    const stored = sent[first]?.draft.text as DraftText
    await sent[first]?.answer()
    await sent[1 - first]?.refuse({ revision: 1, text: stored })
    await pass(1_000)
    if (first === 0) {
      expect(last(sent).draft).toMatchObject({ revision: 1, text: titled('Een twee') })
      await last(sent).answer()
    }
    expect(sent).toHaveLength(first === 0 ? 3 : 2)
    expect(phase()).toBe('saved')
    expect(shown).toEqual([])
  }
})

test('a failed save reports its reason at once, stays in the browser, and is retried with increasing delays', async () => {
  const { autosave, sent, local } = anAutosave()
  autosave.change(titled('Een'))
  await pass(1_000)
  await last(sent).fail('unreachable')
  expect(autosave.getState()).toMatchObject({ phase: 'failed', failure: 'unreachable', storedLocally: true })
  expect(local.draft?.text.title).toBe('Een')

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

  autosave.change(titled('Een twee'))
  autosave.retry()
  await pass(0)
  expect(last(sent).draft.text.title).toBe('Een twee')
  await last(sent).answer()
  expect(autosave.getState()).toMatchObject({ phase: 'saved' })
  expect(autosave.getState().failure).toBeUndefined()
  expect(local.draft).toBeUndefined()
})

test('a text that the server refuses is sent again only after a change', async () => {
  const { autosave, sent } = anAutosave()
  autosave.change(titled('Te lang'))
  await pass(1_000)
  await last(sent).fail('refused')
  await pass(600_000)
  expect(sent).toHaveLength(1)
  autosave.change(titled('Kort'))
  await pass(1_000)
  await last(sent).answer()
  expect(autosave.getState().phase).toBe('saved')
})

test('the state shows when the browser cannot store the draft', async () => {
  const { autosave } = anAutosave({ store: async () => false })
  autosave.change(titled('Een'))
  await pass(0)
  expect(autosave.getState().storedLocally).toBe(false)
})

test('the draft is sent at once when the page is left, and an unmounted form sends nothing later', async () => {
  const { autosave, sent, local } = anAutosave()
  autosave.change(titled('Een'))
  autosave.unmount()
  expect(sent.map(({ unloading }) => unloading)).toEqual([true])
  await last(sent).fail('unreachable')
  await pass(600_000)
  expect(sent).toHaveLength(1)
  expect(local.draft?.text.title).toBe('Een')
})

describe('another tab of the same user also wrote', () => {
  test('both texts are merged, shown and sent again, without changing what was typed since', async () => {
    const { autosave, sent, shown, phase } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    autosave.change(titled('Een twee'))
    await last(sent).refuse({
      revision: 7,
      baseVersion: 2,
      text: titled('Over ons', { description: 'van het andere' }),
    })
    const both = titled('Een twee', { description: 'van het andere' })
    expect(shown).toEqual([both])
    await pass(1_000)
    expect(last(sent).draft).toEqual({ revision: 7, baseVersion: 2, text: both })
    await last(sent).answer()
    expect(phase()).toBe('saved')
    expect(autosave.baseVersion).toBe(2)
  })

  test('a text merged with a draft of an older version is based on that version, so that saving merges what was saved since', async () => {
    const { autosave, sent, shown } = anAutosave()
    const later = titled('Van een collega')
    autosave.restart({ text: later, baseVersion: 4, revision: 0 }, later)
    expect(autosave.baseVersion).toBe(4)
    autosave.change({ ...later, seoTitle: 'Hier getypt' })
    await pass(1_000)
    await last(sent).refuse({
      revision: 1,
      baseVersion: 3,
      text: titled('Over ons', { description: 'van het andere' }),
    })
    expect(shown).toEqual([titled('Over ons', { description: 'van het andere', seoTitle: 'Hier getypt' })])
    expect(autosave.baseVersion).toBe(3)
  })

  test('a draft equal to the stored one counts as saved', async () => {
    const { autosave, sent, local, phase } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    await last(sent).refuse({ revision: 4, text: titled('Een') })
    expect(phase()).toBe('saved')
    expect(local.draft).toBeUndefined()
    await pass(60_000)
    expect(sent).toHaveLength(1)
  })

  test('a draft that was deleted there is created again with the next change here, also if it equals the last saved text', async () => {
    const { autosave, sent, shown } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    await last(sent).answer()
    autosave.change(titled('Een twee'))
    await pass(1_000)
    autosave.change(titled('Een'))
    await last(sent).refuse({ revision: 2, text: null })
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({ revision: 2, text: titled('Een') })
    await last(sent).answer()
    expect(shown).toEqual([])
    await pass(60_000)
    expect(sent).toHaveLength(3)
  })

  test('flush() also waits for the merged text to be sent', async () => {
    const { autosave, sent } = anAutosave()
    autosave.change(titled('Een'))
    let flushed = false
    void autosave.flush().then(() => {
      flushed = true
    })
    await pass(0)
    await last(sent).refuse({ revision: 3, text: titled('Over ons', { description: 'van het andere' }) })
    expect(flushed).toBe(false)
    expect(last(sent).draft).toMatchObject({ revision: 3, text: { title: 'Een', description: 'van het andere' } })
    await last(sent).answer()
    expect(flushed).toBe(true)
  })

  test('the focused field shows the merged text when it loses the focus, and nothing is lost meanwhile', async () => {
    let focused: keyof DraftText | undefined = 'description'
    const { autosave, sent, shown } = anAutosave({ focusedField: () => focused })
    autosave.change(titled('Een'))
    await pass(1_000)
    const theirs = titled('Over ons', { description: 'van het andere', seoTitle: 'ook' })
    await last(sent).refuse({ revision: 1, text: theirs })
    expect(shown).toEqual([titled('Een', { seoTitle: 'ook' })])

    // Another field changes meanwhile: the description from the other tab is sent with it.
    autosave.change({ ...(shown.at(-1) as DraftText), title: 'Een twee' })
    await pass(1_000)
    expect(last(sent).draft.text).toEqual(titled('Een twee', { description: 'van het andere', seoTitle: 'ook' }))
    await last(sent).answer()

    focused = undefined
    autosave.fieldBlurred()
    expect(shown.at(-1)).toEqual(titled('Een twee', { description: 'van het andere', seoTitle: 'ook' }))
    await pass(60_000)
    expect(sent).toHaveLength(2)
  })
})

describe('while the page itself is being saved', () => {
  test('no draft is sent, a pending response is ignored, and later changes become a draft afterwards', async () => {
    const { autosave, sent, local, phase } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    autosave.pause()
    await last(sent).refuse({ revision: 5, text: titled('te laat') })
    autosave.change(titled('Een twee'))
    autosave.sendBeforeUnload()
    await pass(60_000)
    expect(sent).toHaveLength(1)
    expect(autosave.isOwn({ text: titled('Een') })).toBe(true)
    expect(autosave.isOwn({ text: titled('te laat') })).toBe(false)

    autosave.restart({ text: titled('Een'), baseVersion: 4, revision: 1 }, titled('Een twee'))
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({ baseVersion: 4, revision: 1, text: { title: 'Een twee' } })
    await last(sent).answer()
    autosave.restart({ text: titled('Een twee'), baseVersion: 5, revision: 3 }, titled('Een twee'))
    await pass(60_000)
    expect(sent).toHaveLength(2)
    expect(phase()).toBe('clean')
    expect(local.draft).toBeUndefined()
  })

  test('a failed save leaves a draft', async () => {
    const { autosave, sent, phase } = anAutosave()
    autosave.change(titled('Een'))
    await pass(1_000)
    autosave.pause()
    await pass(5_000)
    autosave.resume()
    await pass(1_000)
    expect(last(sent).draft).toMatchObject({ revision: 0, text: { title: 'Een' } })
    await last(sent).answer()
    expect(phase()).toBe('saved')
  })
})
