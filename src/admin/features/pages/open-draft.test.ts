import { expect, test } from 'vitest'
import type { DraftText } from '../../../contract/pages.ts'
import { offeredDraft } from './open-draft.ts'

const text = (more: Partial<DraftText>): DraftText => ({
  title: 'Over ons',
  slug: 'over-ons',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
  ...more,
})
const page = { text: text({}), version: 4 }
const stored = (more: Partial<DraftText>, savedAt: string) => ({ text: text(more), number: 3, savedAt, baseVersion: 4 })
const kept = (editor: string, more: Partial<DraftText>, at: string) => ({
  editor,
  text: text(more),
  baseVersion: 3,
  at,
})

test('nothing is offered where nothing else was written than is saved', () => {
  expect(offeredDraft(page, undefined, [])).toBeUndefined()
  expect(
    offeredDraft(page, stored({}, '2026-11-21T10:00:00Z'), [kept('tab', {}, '2026-11-21T11:00:00Z')]),
  ).toBeUndefined()
})

test('a draft of the server is offered with its date, and one that lies here and says the same is not another', () => {
  const draft = stored({ title: 'Wij' }, '2026-11-21T10:00:00Z')
  expect(offeredDraft(page, draft, [kept('tab', { title: 'Wij' }, '2026-11-21T10:00:01Z')])).toEqual({
    text: text({ title: 'Wij' }),
    at: '2026-11-21T10:00:00Z',
    baseVersion: 4,
    kept: [],
    stored: draft,
  })
})

test('what lies in this browser is offered beside it: both together, and where they collide the newer', () => {
  const draft = stored({ title: 'Wij', description: 'van de server' }, '2026-11-21T10:00:00Z')
  const here = kept('tab', { title: 'Wij allemaal', seoTitle: 'hier' }, '2026-11-21T10:05:00Z')
  const offered = offeredDraft(page, draft, [here])
  expect(offered).toMatchObject({ at: '2026-11-21T10:05:00Z', baseVersion: 3, kept: ['tab'] })
  expect(offered?.text).toEqual(text({ title: 'Wij allemaal', seoTitle: 'hier', description: 'van de server' }))

  const older = kept('tab', { title: 'Wij allemaal' }, '2026-11-20T10:05:00Z')
  expect(offeredDraft(page, draft, [older])).toMatchObject({ at: '2026-11-21T10:00:00Z', text: { title: 'Wij' } })
})
