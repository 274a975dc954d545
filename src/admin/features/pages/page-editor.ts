import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText, PageInLocale, SavedPage, StalePage } from '../../../contract/pages.ts'
import { ApiRefusal, api, isApiRefusal, parseResponse } from '../../client.ts'
import type { FieldProblem } from '../../components/form.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { type Problems, problemsAfterChange } from '../blocks/problems.ts'
import type { RecoverableDraft } from '../drafts/recoverable-draft.ts'
import { claimDraft, endDraft, localDrafts, startDraftAutosave } from '../drafts/tab-drafts.ts'
import { useMe } from '../sign-in/me.ts'
import { pageQuery } from './pages.ts'
import { notifySaved, useUndoSave } from './save-result.tsx'

/** Loaded on demand: most pages have a single editor. */
export const MergeConflicts = lazyPart(async () => (await import('./merge-conflicts.tsx')).MergeConflicts)

interface Failure {
  error: unknown
  /** Errors of the API without a field in this form. */
  unplaced: FieldProblem[]
  /** The number of failed saves, so that a repeated failure is announced again. */
  count: number
}

/** The state of editing a page in one language: text, draft and saving. */
export function usePageEditor(page: PageInLocale) {
  const me = useMe()
  const queries = useQueryClient()
  const undoSave = useUndoSave(page)
  const [text, setText] = useState(page.text)
  /** The saved text that changes are compared with. The form can be based on an older one: see `baseVersion`. */
  const [base, setBase] = useState(page.text)
  const [saving, setSaving] = useState<'save' | 'publish'>()
  const [failure, setFailure] = useState<Failure>()
  const [problems, setProblems] = useState<Problems>({})
  const [stale, setStale] = useState<{ current: StalePage; publish: boolean }>()
  const [historyKey, setHistoryKey] = useState(0)
  /** The current text, for callbacks that run after this render. */
  const shown = useRef(text)
  const show = useCallback((next: DraftText) => {
    shown.current = next
    setText(next)
  }, [])
  const key = { user: me.id, page: page.id, locale: page.locale }
  const [autosave] = useState(() =>
    startDraftAutosave(
      key,
      { text: page.text, baseVersion: page.version, revision: page.draftRevision },
      { onMerged: show, focusedField },
    ),
  )
  const draft = useSyncExternalStore(autosave.subscribe, autosave.getState)
  // Text that waits behind the focused field is unsaved too.
  const dirty = !deepEqual(autosave.text, base)

  useEffect(() => addAutosaveListeners(autosave), [autosave])

  const change = useCallback(
    (change: Partial<DraftText> | ((now: DraftText) => Partial<DraftText>)) => {
      const before = shown.current
      const changes = typeof change === 'function' ? change(before) : change
      show({ ...before, ...changes })
      autosave.change(shown.current)
      setProblems((problems) => problemsOfUnchanged(problems, before, changes))
    },
    [autosave, show],
  )

  /**
   * Continues from the server's current state.
   * @param revision of the stored draft. The default leaves a draft of another tab unknown, so that it is merged and
   * not replaced.
   */
  const restart = (
    now: PageInLocale,
    next: DraftText,
    revision = now.draft ? autosave.revision : now.draftRevision,
  ) => {
    setBase(now.text)
    show(next)
    autosave.restart({ text: now.text, baseVersion: now.version, revision }, next)
  }
  const updateCache = (now: PageInLocale) => {
    queries.setQueryData(pageQuery(page.id, page.locale).queryKey, now)
    for (const key of ['list', 'revisions', 'presence']) void queries.invalidateQueries({ queryKey: ['pages', key] })
    for (const key of ['redirects', 'sections']) void queries.invalidateQueries({ queryKey: [key] })
  }

  // A version that somebody else saved replaces an untouched form.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version matters
  useEffect(() => {
    if (page.version <= autosave.baseVersion || dirty || saving) return
    restart(page, page.text)
    setHistoryKey((before) => before + 1)
  }, [page.version, dirty, saving])

  async function save(
    publish: boolean,
    sent = autosave.text,
    version = autosave.baseVersion,
  ): Promise<SavedPage | undefined> {
    if (saving) return undefined
    const shownWhenSent = shown.current
    setSaving(publish ? 'publish' : 'save')
    setFailure(undefined)
    setProblems({})
    autosave.pause()
    try {
      const saved = await parseResponse(
        api.pages[':id'][':locale'].$put({
          param: { id: String(page.id), locale: page.locale },
          json: { text: sent, version, publish, draftRevision: autosave.revision } as never,
        }),
      )
      // An autosave without a response may have been stored before.
      const revision = saved.draft ? await endDraft(key, autosave).catch(() => autosave.revision) : saved.draftRevision
      restart(saved, mergePage(shownWhenSent, shown.current, saved.text).text, revision)
      updateCache(saved)
      notifySaved(saved, me, saved.undo ? () => undoSave(saved) : undefined)
      return saved
    } catch (refused) {
      autosave.resume()
      const { current, error } = await conflictOf(refused)
      if (current) setStale({ current, publish })
      else {
        const { byField, unplaced } = splitProblems(error instanceof ApiRefusal ? error.problem.errors : [])
        setProblems(byField)
        setFailure((before) => ({ error, unplaced, count: (before?.count ?? 0) + 1 }))
        // It may have been locked meanwhile.
        void queries.invalidateQueries(pageQuery(page.id, page.locale))
      }
      return undefined
    } finally {
      setSaving(undefined)
    }
  }

  return {
    page,
    text,
    dirty,
    /** The saved version that the text is based on; after a merge with an older draft, the version of that one. */
    baseVersion: autosave.baseVersion,
    draft,
    autosave,
    saving,
    failure,
    problems,
    /** Another one when another text replaced this one, which undo does not take back. */
    historyKey,
    change,
    /** Takes over another text where the form was not changed. */
    fill(other: DraftText) {
      change(mergePage(base, shown.current, other).text)
    },
    save,
    /** Updates the page after an action other than saving. */
    updateCache,
    /** Set when a concurrent save conflicts. Nothing is saved until the user has chosen. */
    stale: stale && {
      ...stale.current,
      close: () => setStale(undefined),
      choose(chosen: DraftText) {
        setStale(undefined)
        show(chosen)
        autosave.change(chosen)
        void save(stale.publish, chosen, stale.current.page.version)
      },
    },
    /**
     * Shows an offered draft, merged with what the user typed since declining it. On a conflict the draft wins.
     * @returns restores what the user typed; undefined without a conflict
     */
    load(offer: RecoverableDraft): (() => void) | undefined {
      const stored = offer.stored ?? { text: page.text, revision: page.draftRevision }
      const typed = shown.current
      const { text: loaded, conflicts } = mergePage(base, offer.text, typed)
      setBase(page.text)
      show(loaded)
      setHistoryKey((before) => before + 1)
      const from = { text: stored.text, baseVersion: offer.baseVersion, revision: stored.revision }
      autosave.restart(from, loaded)
      for (const tabId of offer.tabIds) void localDrafts.remove(key, tabId)
      if (conflicts.length === 0) return undefined
      const withTyped = mergePage(base, typed, offer.text).text
      return () => change((now) => mergePage(loaded, now, withTyped).text)
    },
    /** Deletes the draft and shows the saved text. @returns shows the deleted text again, on the version that it changed */
    async discard(offer?: RecoverableDraft): Promise<() => void> {
      const { text: discarded, baseVersion } = offer ?? autosave
      autosave.pause()
      const revision = await endDraft(key, autosave).catch((error) => {
        autosave.resume()
        throw error
      })
      for (const tabId of offer?.tabIds ?? []) void localDrafts.remove(key, tabId)
      const rebased = { ...page, text: base, version: autosave.baseVersion }
      if (offer) restart(rebased, shown.current, revision)
      else restart(page, page.text, revision)
      void queries.invalidateQueries({ queryKey: ['pages', 'list'] })
      return () => {
        show(discarded)
        autosave.restart({ text: page.text, baseVersion, revision: autosave.revision }, discarded)
      }
    },
  }
}

export type PageEditor = ReturnType<typeof usePageEditor>

/** The page that somebody else saved meanwhile, after the conflict dialog has loaded. */
async function conflictOf(error: unknown): Promise<{ current?: StalePage; error: unknown }> {
  if (!isApiRefusal(error, 'stale') || !error.problem.current) return { error }
  const current = error.problem.current as StalePage
  return MergeConflicts.load().then(
    () => ({ current, error }),
    (notLoaded) => ({ error: notLoaded }),
  )
}

/** Removes the errors of changed fields; those of a block that was moved go along with it. */
function problemsOfUnchanged(problems: Problems, before: DraftText, changes: Partial<DraftText>): Problems {
  if (changes.body) problems = problemsAfterChange(problems, 'body', before.body, changes.body)
  const remaining = Object.entries(problems).filter(([path]) =>
    path.startsWith('fields.') ? !changes.fields : path.includes('.') || !(path in changes),
  )
  return remaining.length === Object.keys(problems).length ? problems : Object.fromEntries(remaining)
}

/** The form's parts are marked with their field name. */
function focusedField(): keyof DraftText | undefined {
  const field = document.activeElement?.closest<HTMLElement>('[data-page-field]')?.dataset.pageField
  return field as keyof DraftText | undefined
}

/**
 * Flushes the draft when the tab is hidden and when the network is back. @returns a function that removes the listeners
 */
function addAutosaveListeners(autosave: ReturnType<typeof startDraftAutosave>): () => void {
  const over = new AbortController()
  const { signal } = over
  autosave.mount()
  claimDraft(autosave.tabId, signal)
  const onVisibilityChange = () =>
    document.visibilityState === 'hidden' ? autosave.sendBeforeUnload() : autosave.retry()
  addEventListener('pagehide', () => autosave.sendBeforeUnload(), { signal })
  document.addEventListener('visibilitychange', onVisibilityChange, { signal })
  addEventListener('online', () => autosave.retry(), { signal })
  // The next field has the focus a moment later.
  const onFocusMoved = () => setTimeout(() => autosave.fieldBlurred())
  document.addEventListener('focusout', onFocusMoved, { signal })
  // Also when the focus leaves the canvas, which is a window of its own.
  addEventListener(
    'focus',
    () => {
      autosave.retry()
      onFocusMoved()
    },
    { signal },
  )
  return () => {
    autosave.unmount()
    over.abort()
  }
}

const fields = new Set(['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'])

/** Maps error paths of the API to form fields: `text.title` to `title`, `text.body.3.title` to `body.3.title`. */
function splitProblems(errors: readonly FieldProblem[]): {
  byField: Record<string, string>
  unplaced: FieldProblem[]
} {
  const byField: Record<string, string> = {}
  const unplaced: FieldProblem[] = []
  for (const problem of errors) {
    const path = problem.path.replace(/^text\./, '')
    if (fields.has(path) || path.startsWith('body.') || path.startsWith('fields.')) byField[path] ??= problem.message
    else unplaced.push(problem)
  }
  return { byField, unplaced }
}

/** The errors in the body, by their path in it. */
export const bodyProblems = (problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith('body.') ? [[path.slice('body.'.length), message]] : [],
    ),
  )
