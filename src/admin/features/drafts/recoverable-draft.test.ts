import { expect, test } from 'vitest'
import type { DraftText } from '../../../contract/pages.ts'
import { findRecoverableDraft } from './recoverable-draft.ts'

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
const stored = (more: Partial<DraftText>, savedAt: string) => ({
  text: text(more),
  revision: 3,
  savedAt,
  baseVersion: 4,
})
const localDraft = (editor: string, more: Partial<DraftText>, at: string) => ({
  editor,
  text: text(more),
  baseVersion: 3,
  at,
})

test('no draft is offered if all drafts equal the saved text', () => {
  expect(findRecoverableDraft(page, undefined, [])).toBeUndefined()
  expect(
    findRecoverableDraft(page, stored({}, '2026-11-21T10:00:00Z'), [localDraft('tab', {}, '2026-11-21T11:00:00Z')]),
  ).toBeUndefined()
})

test('the draft on the server is offered with its date, and an equal local draft is not offered separately', () => {
  const draft = stored({ title: 'Wij' }, '2026-11-21T10:00:00Z')
  expect(findRecoverableDraft(page, draft, [localDraft('tab', { title: 'Wij' }, '2026-11-21T10:00:01Z')])).toEqual({
    text: text({ title: 'Wij' }),
    older: [],
    at: '2026-11-21T10:00:00Z',
    baseVersion: 4,
    tabIds: [],
    stored: draft,
  })
})

test('a local draft is merged with the one on the server, and on a conflict the newer text wins', () => {
  const draft = stored({ title: 'Wij', description: 'van de server' }, '2026-11-21T10:00:00Z')
  const here = localDraft('tab', { title: 'Wij allemaal', seoTitle: 'hier' }, '2026-11-21T10:05:00Z')
  const offered = findRecoverableDraft(page, draft, [here])
  expect(offered).toMatchObject({ at: '2026-11-21T10:05:00Z', baseVersion: 3, tabIds: ['tab'], older: [draft.text] })
  expect(offered?.text).toEqual(text({ title: 'Wij allemaal', seoTitle: 'hier', description: 'van de server' }))

  const older = localDraft('tab', { title: 'Wij allemaal' }, '2026-11-20T10:05:00Z')
  expect(findRecoverableDraft(page, draft, [older])).toMatchObject({
    at: '2026-11-21T10:00:00Z',
    text: { title: 'Wij' },
  })
})
