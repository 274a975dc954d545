import type { UseNavigateResult } from '@tanstack/react-router'
import { randomId } from '../../../contract/random-id.ts'
import { notify } from '../../components/notify.tsx'
import { translate } from '../../i18n.ts'
import type { PageEditor } from '../pages/page-editor.ts'
import type { RecoverableDraft } from './recoverable-draft.ts'

/** When the draft was stored that was brought back last, as an ISO time. */
let restoredAt: string | undefined

/** Whether the user brought back this draft by undo, so that the page loads it without a question. */
export const isRestored = ({ at }: RecoverableDraft): boolean => at === restoredAt

/**
 * Shows a recoverable draft, merged with what the user typed since declining it. On a conflict the draft wins.
 * @returns undo, which restores what the user typed; undefined without a conflict
 */
export function loadDraft(editor: PageEditor, draft: RecoverableDraft): (() => void) | undefined {
  const { page, base, draftKey, localDrafts, mergePage, change } = editor
  const stored = draft.stored ?? { text: page.text, revision: page.draftRevision }
  const typed = editor.latestText.current
  const { text: loaded, conflicts } = mergePage(base, draft.text, typed)
  editor.restart(page, loaded, { text: stored.text, baseVersion: draft.baseVersion, revision: stored.revision })
  editor.restartHistory()
  for (const tabId of draft.tabIds) void localDrafts.remove(draftKey, tabId)
  if (conflicts.length === 0) return undefined
  // The other way round: what the user typed wins.
  const withTyped = mergePage(base, typed, draft.text).text
  return () => change((current) => mergePage(loaded, current, withTyped).text)
}

/**
 * Deletes a recoverable draft, or else the unsaved changes, after which the saved text is shown. The notification can
 * undo this from any screen.
 * @throws if it was not deleted
 */
export async function discardDraft(
  editor: PageEditor,
  navigate: UseNavigateResult<string>,
  draft?: RecoverableDraft,
): Promise<void> {
  const { page, base, draftKey, localDrafts, mergePage, autosave } = editor
  const { text, baseVersion } = draft ?? autosave
  autosave.pause()
  const revision = await editor.deleteDraft().catch((error) => {
    autosave.resume()
    throw error
  })
  for (const tabId of draft?.tabIds ?? []) void localDrafts.remove(draftKey, tabId)
  if (draft) {
    // The base of the shown text stays the same.
    const draftBase = { text: base, baseVersion: autosave.baseVersion, revision }
    editor.restart({ ...page, text: base }, editor.latestText.current, draftBase)
  } else editor.restart(page, page.text, { text: page.text, baseVersion: page.version, revision })
  void editor.queries.invalidateQueries({ queryKey: ['pages', 'list'] })
  notify(translate('pages.draft.discarded'), async () => {
    const shown = editor.openEditor()
    if (shown?.page.id === page.id && shown.page.locale === page.locale) {
      const merged = mergePage(base, text, shown.latestText.current).text
      const draftBase = { text: shown.base, baseVersion, revision: shown.autosave.revision }
      return shown.restart({ ...shown.page, text: shown.base }, merged, draftBase)
    }
    // As a draft of a closed tab, which the page offers when it opens, also later if the user stays on this screen.
    restoredAt = new Date().toISOString()
    await localDrafts.put(draftKey, { editor: randomId(), text, baseVersion, at: restoredAt })
    await navigate({ to: '/admin/pages/$id/$locale', params: { id: String(page.id), locale: page.locale } })
  })
}
