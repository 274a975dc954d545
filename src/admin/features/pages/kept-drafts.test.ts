import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { DraftText } from '../../../contract/pages.ts'
import { type DraftPlace, type KeptDraft, openKeptDrafts } from './kept-drafts.ts'

const text: DraftText = {
  title: 'سلام',
  slug: 'x',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [{ type: 'line', id: 'a' }],
}
const roya: DraftPlace = { user: 7, page: 12, locale: 'fa' }
const kept = (editor: string, at = new Date().toISOString()): KeptDraft => ({ editor, text, baseVersion: 2, at })

test('a draft is found again by who typed it, at that page and language, the newest first', async () => {
  const first = openKeptDrafts()
  expect(await first.put(roya, kept('tab-een', '2026-11-20T10:00:00.000Z'))).toBe(true)
  expect(await first.put(roya, kept('tab-twee', '2026-11-21T10:00:00.000Z'))).toBe(true)
  await first.put({ ...roya, locale: 'nl' }, kept('tab-drie'))

  const afterTheCrash = openKeptDrafts()
  expect((await afterTheCrash.of(roya)).map(({ editor }) => editor)).toEqual(['tab-twee', 'tab-een'])
  await afterTheCrash.remove(roya, 'tab-twee')
  expect(await openKeptDrafts().of(roya)).toEqual([kept('tab-een', '2026-11-20T10:00:00.000Z')])
})

test('who else signs in at the same browser sees none of it, also whose number only begins alike', async () => {
  await openKeptDrafts().put({ ...roya, user: 70 }, kept('tab-vier'))
  const of = (user: number, page = 12) => openKeptDrafts().of({ user, page, locale: 'fa' })
  expect(await of(8)).toEqual([])
  expect((await of(70)).map(({ editor }) => editor)).toEqual(['tab-vier'])
  expect((await of(7)).map(({ editor }) => editor)).not.toContain('tab-vier')
  expect(await of(70, 1)).toEqual([])
})

test('a browser without a store keeps it in memory, and says that it does not last', async () => {
  vi.stubGlobal('indexedDB', undefined)
  try {
    const memory = openKeptDrafts()
    expect(await memory.put(roya, kept('tab-vijf'))).toBe(false)
    expect((await memory.of(roya)).map(({ editor }) => editor)).toEqual(['tab-vijf'])
    await memory.remove(roya, 'tab-vijf')
    expect(await memory.of(roya)).toEqual([])
  } finally {
    vi.unstubAllGlobals()
  }
})
