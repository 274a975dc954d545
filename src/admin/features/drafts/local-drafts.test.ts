import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { DraftText } from '../../../contract/pages.ts'
import { type DraftKey, type LocalDraft, openLocalDrafts } from './local-drafts.ts'

const text: DraftText = {
  title: 'سلام',
  slug: 'x',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [{ type: 'line', id: 'a' }],
}
const roya: DraftKey = { user: 7, page: 12, locale: 'fa' }
const localDraft = (editor: string, at = new Date().toISOString()): LocalDraft => ({ editor, text, baseVersion: 2, at })

test('drafts are listed by user, page and language, the newest first', async () => {
  const first = openLocalDrafts()
  expect(await first.put(roya, localDraft('tab-een', '2026-11-20T10:00:00.000Z'))).toBe(true)
  expect(await first.put(roya, localDraft('tab-twee', '2026-11-21T10:00:00.000Z'))).toBe(true)
  await first.put({ ...roya, locale: 'nl' }, localDraft('tab-drie'))

  const afterTheCrash = openLocalDrafts()
  expect((await afterTheCrash.list(roya)).map(({ editor }) => editor)).toEqual(['tab-twee', 'tab-een'])
  await afterTheCrash.remove(roya, 'tab-twee')
  expect(await openLocalDrafts().list(roya)).toEqual([localDraft('tab-een', '2026-11-20T10:00:00.000Z')])
})

test('another user of the same browser sees none of them, also if the ids start with the same digits', async () => {
  await openLocalDrafts().put({ ...roya, user: 70 }, localDraft('tab-vier'))
  const of = (user: number, page = 12) => openLocalDrafts().list({ user, page, locale: 'fa' })
  expect(await of(8)).toEqual([])
  expect((await of(70)).map(({ editor }) => editor)).toEqual(['tab-vier'])
  expect((await of(7)).map(({ editor }) => editor)).not.toContain('tab-vier')
  expect(await of(70, 1)).toEqual([])
})

test('without IndexedDB drafts are stored in memory, and put() returns false', async () => {
  vi.stubGlobal('indexedDB', undefined)
  try {
    const memory = openLocalDrafts()
    expect(await memory.put(roya, localDraft('tab-vijf'))).toBe(false)
    expect((await memory.list(roya)).map(({ editor }) => editor)).toEqual(['tab-vijf'])
    await memory.remove(roya, 'tab-vijf')
    expect(await memory.list(roya)).toEqual([])
  } finally {
    vi.unstubAllGlobals()
  }
})
