import { deepEqual } from '../../../contract/deep-equal.ts'
import type { Draft } from '../../../contract/drafts.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText, PageInLocale } from '../../../contract/pages.ts'
import type { LocalDraft } from './local-drafts.ts'

/** A draft that is offered when the page is opened. */
export interface RecoverableDraft {
  text: DraftText
  /** When it was last changed. */
  at: string
  baseVersion: number
  /** The tabs whose changes are stored in this browser only. */
  tabIds: string[]
  /** The draft on the server. */
  stored: Draft | undefined
}

/**
 * The unsaved changes from the server, this browser, or both merged; on a conflict the newer text wins. A draft equal
 * to the saved text is not offered.
 * @param local the newest first
 */
export function findRecoverableDraft(
  page: Pick<PageInLocale, 'text' | 'version'>,
  draft: Draft | undefined,
  local: readonly LocalDraft[],
): RecoverableDraft | undefined {
  const stored = draft && !deepEqual(draft.text, page.text) ? draft : undefined
  const localOnly = local.filter(({ text }) => !deepEqual(text, page.text) && !deepEqual(text, draft?.text))
  const all = [
    ...localOnly.map(({ text, at, baseVersion }) => ({ text, at, baseVersion })),
    ...(stored ? [{ text: stored.text, at: stored.savedAt, baseVersion: stored.baseVersion }] : []),
  ].sort((one, other) => (one.at < other.at ? 1 : -1))
  const [newest] = all
  if (!newest) return undefined
  return {
    text: all.reduce((mine, { text }) => mergePage(page.text, mine, text).text, newest.text),
    at: newest.at,
    baseVersion: Math.min(...all.map(({ baseVersion }) => baseVersion)),
    // The stored field `editor` is the id of the tab.
    tabIds: localOnly.map(({ editor }) => editor),
    stored,
  }
}
