import { deepEqual } from '../../../contract/deep-equal.ts'
import type { Draft } from '../../../contract/drafts.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText, PageInLocale } from '../../../contract/pages.ts'
import type { LocalDraft } from './local-drafts.ts'

/** The unsaved changes of a page that are offered when the page is opened. */
export interface RecoverableDraft {
  text: DraftText
  /** The merged drafts but the newest, of which the text may lack something; the newest first. */
  older: DraftText[]
  /** When the text was last changed, as an ISO time. */
  at: string
  baseVersion: number
  /** The tabs whose changes are stored in this browser only. */
  tabIds: string[]
  /** The draft on the server; undefined if there is none, or its text is that of the page. */
  stored: Draft | undefined
}

/** Whether the server has a text as the saved page or as its draft. */
export const isOnServer = (text: DraftText, page: Pick<PageInLocale, 'text'>, draft: Draft | undefined): boolean =>
  deepEqual(text, page.text) || deepEqual(text, draft?.text)

/**
 * Merges the unsaved changes on the server and in this browser; on a conflict the newer text wins. Undefined if no draft
 * differs from the saved text.
 * @param local the drafts in this browser, the newest first
 */
export function findRecoverableDraft(
  page: Pick<PageInLocale, 'text' | 'version'>,
  draft: Draft | undefined,
  local: readonly LocalDraft[],
): RecoverableDraft | undefined {
  const stored = draft && !deepEqual(draft.text, page.text) ? draft : undefined
  const localOnly = local.filter(({ text }) => !isOnServer(text, page, draft))
  const newestFirst = [
    ...localOnly.map(({ text, at, baseVersion }) => ({ text, at, baseVersion })),
    ...(stored ? [{ text: stored.text, at: stored.savedAt, baseVersion: stored.baseVersion }] : []),
  ].sort((a, b) => (a.at < b.at ? 1 : -1))
  const [newest, ...older] = newestFirst
  if (!newest) return undefined
  return {
    text: newestFirst.reduce((merged, { text }) => mergePage(page.text, merged, text).text, newest.text),
    older: older.map(({ text }) => text),
    at: newest.at,
    baseVersion: Math.min(...newestFirst.map(({ baseVersion }) => baseVersion)),
    // The stored field `editor` is the id of the tab.
    tabIds: localOnly.map(({ editor }) => editor),
    stored,
  }
}
