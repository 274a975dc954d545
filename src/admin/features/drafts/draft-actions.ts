import type { UseNavigateResult } from '@tanstack/react-router'
import type { DraftText } from '../../../contract/pages.ts'
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
 * Merges a draft into the form, with what the user typed since; on a conflict the draft wins.
 * @param typed what the user typed since, by default in this form
 * @returns the merged text, and undo, which restores what the user typed; undefined without a conflict
 */
function mergeIntoForm(
  { mergePage, latestText, change }: PageEditor,
  base: DraftText,
  draft: DraftText,
  typed = latestText.current,
): { merged: DraftText; undo: (() => void) | undefined } {
  const { text: merged, conflicts } = mergePage(base, draft, typed)
  if (conflicts.length === 0) return { merged, undo: undefined }
  // The other way round: what the user typed wins.
  const withTyped = mergePage(base, typed, draft).text
  return { merged, undo: () => change((current) => mergePage(merged, current, withTyped).text) }
}

/** Notifies that a draft replaced what the user typed, if it did. */
function notifyReplaced(undo: (() => void) | undefined): void {
  if (undo) notify(translate('pages.draft.replaced'), undo, 'form')
}

/** Shows a recoverable draft, merged with what the user typed since declining it, or since discarding it. */
export function loadDraft(editor: PageEditor, draft: RecoverableDraft): void {
  const { page, base, draftKey, localDrafts, mergePage } = editor
  const stored = draft.stored ?? { text: page.text, revision: page.draftRevision }
  // A draft that undo brought back was stored last, but others may have been typed after it.
  const [newest, ...others] = isRestored(draft) ? draft.older : []
  const typedSince = newest && others.reduce((merged, text) => mergePage(base, merged, text).text, newest)
  const { merged, undo } = mergeIntoForm(editor, base, draft.text, typedSince)
  editor.restart(page, merged, { text: stored.text, baseVersion: draft.baseVersion, revision: stored.revision })
  editor.restartHistory()
  for (const tabId of draft.tabIds) void localDrafts.remove(draftKey, tabId)
  notifyReplaced(undo)
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
  const { page, base, draftKey, localDrafts, autosave } = editor
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
      const { merged, undo } = mergeIntoForm(shown, base, text)
      const draftBase = { text: shown.base, baseVersion, revision: shown.autosave.revision }
      shown.restart({ ...shown.page, text: shown.base }, merged, draftBase)
      return notifyReplaced(undo)
    }
    // As a draft of a closed tab, which the page offers when it opens, also later if the user stays on this screen.
    restoredAt = new Date().toISOString()
    await localDrafts.put(draftKey, { editor: randomId(), text, baseVersion, at: restoredAt })
    await navigate({ to: '/admin/pages/$id/$locale', params: { id: String(page.id), locale: page.locale } })
  })
}
