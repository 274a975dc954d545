import { mergePage, same } from '../../../contract/merge-page.ts'
import type { Draft, DraftText, PageInLocale } from '../../../contract/pages.ts'
import type { KeptDraft } from './kept-drafts.ts'

/** A draft that somebody is asked about when the page is opened. */
export interface OfferedDraft {
  text: DraftText
  /** When it was written last. */
  at: string
  baseVersion: number
  /** What of it lies in this browser alone, by tab. */
  kept: string[]
  /** The part of it that the server has. */
  stored: Draft | undefined
}

/**
 * What was written and not saved: on the server, in this browser, or both; then both together, and where they collide
 * the newer. A draft that says what is saved is none.
 * @param kept the newest first
 */
export function offeredDraft(
  page: Pick<PageInLocale, 'text' | 'version'>,
  draft: Draft | undefined,
  kept: readonly KeptDraft[],
): OfferedDraft | undefined {
  const stored = draft && !same(draft.text, page.text) ? draft : undefined
  const alone = kept.filter(({ text }) => !same(text, page.text) && !same(text, draft?.text))
  const all = [
    ...alone.map(({ text, at, baseVersion }) => ({ text, at, baseVersion })),
    ...(stored ? [{ text: stored.text, at: stored.savedAt, baseVersion: stored.baseVersion }] : []),
  ].sort((one, other) => (one.at < other.at ? 1 : -1))
  const [newest] = all
  if (!newest) return undefined
  return {
    text: all.reduce((mine, { text }) => mergePage(page.text, mine, text).text, newest.text),
    at: newest.at,
    baseVersion: Math.min(...all.map(({ baseVersion }) => baseVersion)),
    kept: alone.map(({ editor }) => editor),
    stored,
  }
}
