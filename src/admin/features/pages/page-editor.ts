import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText, PageInLocale, SavedPage, StalePage } from '../../../contract/pages.ts'
import { ApiRefusal, api, isApiRefusal, parseResponse } from '../../client.ts'
import type { Failure, FieldProblem } from '../../components/form.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { showNotificationsOf } from '../../components/notify.tsx'
import { type Problems, problemsAfterChange } from '../blocks/problems.ts'
import { claimDraft, createDraftAutosave, deleteDraft, localDrafts } from '../drafts/tab-drafts.ts'
import { useMe } from '../sign-in/me.ts'
import { pageQuery } from './pages.ts'
import { notificationKeyOf, notifySaved, useUndoSave } from './save-result.tsx'

/** Loaded on demand: few pages are edited by two people at once. */
export const MergeConflicts = lazyPart(async () => (await import('./merge-conflicts.tsx')).MergeConflicts)

/** The state of editing a page in one language: text, draft and saving. */
export function usePageEditor(page: PageInLocale) {
  const me = useMe()
  const queries = useQueryClient()
  const undoSave = useUndoSave(page)
  const [text, setText] = useState(page.text)
  /** The saved text that changes are compared with. The form can be based on an older one: see `baseVersion`. */
  const [base, setBase] = useState(page.text)
  const [saving, setSaving] = useState<'save' | 'publish'>()
  const [hasSaved, setHasSaved] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [problems, setProblems] = useState<Problems>({})
  /** The response to a save that conflicted with a concurrent one, and whether the save was to publish. */
  const [stale, setStale] = useState<{ current: StalePage; publish: boolean }>()
  const [historyKey, setHistoryKey] = useState(0)
  /** The current text, for callbacks that run after this render. */
  const latestText = useRef(text)
  const showText = useCallback((next: DraftText) => {
    latestText.current = next
    setText(next)
  }, [])
  const draftKey = { user: me.id, page: page.id, locale: page.locale }
  const [autosave] = useState(() =>
    createDraftAutosave(
      draftKey,
      { text: page.text, baseVersion: page.version, revision: page.draftRevision },
      { onMerged: showText, focusedField },
    ),
  )
  const draft = useSyncExternalStore(autosave.subscribe, autosave.getState)
  // `autosave.text` also has text merged from another tab that is not shown while its field has the focus.
  const dirty = !deepEqual(autosave.text, base)

  useEffect(() => addAutosaveListeners(autosave), [autosave])
  const screen = notificationKeyOf(page)
  useEffect(() => showNotificationsOf(screen), [screen])

  const change = useCallback(
    (update: Partial<DraftText> | ((current: DraftText) => Partial<DraftText>)) => {
      const previous = latestText.current
      const changes = typeof update === 'function' ? update(previous) : update
      showText({ ...previous, ...changes })
      autosave.change(latestText.current)
      setProblems((problems) => problemsOfUnchanged(problems, previous, changes))
    },
    [autosave, showText],
  )

  /**
   * Shows a text, based on a saved page.
   * @param draftBase what the next autosave starts from. The default has not the revision of a draft of another tab, so
   * that the autosave merges it instead of replacing it.
   */
  const restart = (
    saved: PageInLocale,
    next: DraftText,
    draftBase = draftBaseOf(saved, saved.draft ? autosave.revision : saved.draftRevision),
  ) => {
    setBase(saved.text)
    showText(next)
    autosave.restart(draftBase, next)
  }
  const restartHistory = () => setHistoryKey((current) => current + 1)
  const updateCache = (saved: PageInLocale) => {
    queries.setQueryData(pageQuery(page.id, page.locale).queryKey, saved)
    for (const key of ['list', 'revisions', 'presence']) void queries.invalidateQueries({ queryKey: ['pages', key] })
    for (const key of ['redirects', 'sections']) void queries.invalidateQueries({ queryKey: [key] })
  }

  // A version that somebody else saved replaces an untouched form.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version matters
  useEffect(() => {
    // Not `dirty`: a draft can have been loaded since the render.
    const isTouched = !deepEqual(autosave.text, base)
    if (page.version <= autosave.baseVersion || isTouched || saving) return
    restart(page, page.text)
    restartHistory()
  }, [page.version, dirty, saving])

  /** @param version that `toSave` is based on. @returns undefined if it was not saved, or if a save is under way */
  async function save(
    publish: boolean,
    toSave = autosave.text,
    version = autosave.baseVersion,
  ): Promise<SavedPage | undefined> {
    if (saving) return undefined
    const textWhenSent = latestText.current
    setSaving(publish ? 'publish' : 'save')
    setFailure(undefined)
    setProblems({})
    autosave.pause()
    try {
      const saved = await parseResponse(
        api.pages[':id'][':locale'].$put({
          param: { id: String(page.id), locale: page.locale },
          json: { text: toSave, version, publish, draftRevision: autosave.revision } as never,
        }),
      )
      setHasSaved(true)
      // The draft that remains can be of an autosave whose response was lost.
      const revision = saved.draft
        ? await deleteDraft(draftKey, autosave).catch(() => autosave.revision)
        : saved.draftRevision
      // Text typed during the request stays.
      restart(saved, mergePage(textWhenSent, latestText.current, saved.text).text, draftBaseOf(saved, revision))
      updateCache(saved)
      notifySaved(saved, me, saved.undo ? () => undoSave(saved) : undefined)
      return saved
    } catch (saveError) {
      autosave.resume()
      const { current, error } = await findConflict(saveError)
      if (current) setStale({ current, publish })
      else {
        const { byField, unplaced } = splitProblems(error instanceof ApiRefusal ? error.problem.errors : [])
        setProblems(byField)
        setFailure({ error, unplaced })
        // The page may have been locked meanwhile.
        void queries.invalidateQueries(pageQuery(page.id, page.locale))
      }
      return undefined
    } finally {
      setSaving(undefined)
    }
  }

  const editor = {
    page,
    text,
    dirty,
    /** The saved version that the text is based on; after a merge with an older draft, that of the draft. */
    baseVersion: autosave.baseVersion,
    draft,
    autosave,
    saving,
    /** Whether this form has saved the page, which ends the user's draft. */
    hasSaved,
    failure,
    problems,
    /**
     * Changes when a loaded draft or a version of somebody else replaced the text: then the undo history of the visual editor
     * starts again. Any other replacement is one undo step.
     */
    historyKey,
    change,
    /** Copies another text into the fields and blocks that the user has not changed. */
    fill(source: DraftText) {
      change(mergePage(base, latestText.current, source).text)
    },
    save,
    /** Caches the page as returned by an action other than saving. */
    updateCache,
    /** Undefined unless a save conflicted with a concurrent one. Nothing is saved until the user has chosen. */
    stale: stale && {
      ...stale.current,
      close: () => setStale(undefined),
      choose(resolved: DraftText) {
        setStale(undefined)
        showText(resolved)
        autosave.change(resolved)
        void save(stale.publish, resolved, stale.current.page.version)
      },
    },
    /** The saved text that changes are compared with. */
    base,
    // What only lazily loaded code uses is passed on: a module that it imports too would be one more chunk of the first view.
    draftKey,
    localDrafts,
    mergePage,
    queries,
    /** Deletes the stored draft of this form. @returns the revision for the next autosave */
    deleteDraft: () => deleteDraft(draftKey, autosave),
    openEditor: () => openEditor,
    /** The current text, for callbacks that run after this render. */
    latestText,
    restart,
    restartHistory,
  }
  useEffect(() => {
    openEditor = editor
    return () => {
      openEditor = undefined
    }
  })
  return editor
}

/** The editor on the screen. */
let openEditor: PageEditor | undefined

const draftBaseOf = ({ text, version: baseVersion }: PageInLocale, revision: number) => ({
  text,
  baseVersion,
  revision,
})

export type PageEditor = ReturnType<typeof usePageEditor>

/** The page that was saved meanwhile, once the conflict dialog is loaded; without a conflict, the error to show. */
async function findConflict(error: unknown): Promise<{ current?: StalePage; error: unknown }> {
  if (!isApiRefusal(error, 'stale') || !error.problem.current) return { error }
  const current = error.problem.current as StalePage
  return MergeConflicts.load().then(
    () => ({ current, error }),
    (loadError) => ({ error: loadError }),
  )
}

/** Without the errors of changed fields; those of a moved block get its new path. The same object if none changed. */
function problemsOfUnchanged(problems: Problems, previous: DraftText, changes: Partial<DraftText>): Problems {
  if (changes.body) problems = problemsAfterChange(problems, 'body', previous.body, changes.body)
  // Errors below `body.` were handled above.
  const remaining = Object.entries(problems).filter(([path]) =>
    path.startsWith('fields.') ? !changes.fields : path.startsWith('body.') || !(path in changes),
  )
  return remaining.length === Object.keys(problems).length ? problems : Object.fromEntries(remaining)
}

/** Each field of the form is in an element with its name in `data-page-field`. */
function focusedField(): keyof DraftText | undefined {
  const field = document.activeElement?.closest<HTMLElement>('[data-page-field]')?.dataset.pageField
  return field as keyof DraftText | undefined
}

/** Calls the autosave on events of the tab, the network and the focus. @returns removes the listeners */
function addAutosaveListeners(autosave: ReturnType<typeof createDraftAutosave>): () => void {
  const controller = new AbortController()
  const { signal } = controller
  autosave.mount()
  claimDraft(autosave.tabId, signal)
  const onVisibilityChange = () =>
    document.visibilityState === 'hidden' ? autosave.sendBeforeUnload() : autosave.retry()
  addEventListener('pagehide', () => autosave.sendBeforeUnload(), { signal })
  document.addEventListener('visibilitychange', onVisibilityChange, { signal })
  addEventListener('online', () => autosave.retry(), { signal })
  // `focusout` is dispatched before the next field has the focus.
  const onFocusMoved = () => setTimeout(() => autosave.fieldBlurred())
  document.addEventListener('focusout', onFocusMoved, { signal })
  // The canvas is an iframe: when the focus leaves it, only the window gets an event.
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
    controller.abort()
  }
}

/** The fields of this form, by which problems are kept. */
const formFields = new Set(['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'])

/** Maps error paths of the API to form fields: `text.title` to `title`, `text.body.3.title` to `body.3.title`. */
function splitProblems(errors: readonly FieldProblem[]): {
  byField: Record<string, string>
  unplaced: FieldProblem[]
} {
  const byField: Record<string, string> = {}
  const unplaced: FieldProblem[] = []
  for (const problem of errors) {
    const path = problem.path.replace(/^text\./, '')
    const hasField = formFields.has(path) || path.startsWith('body.') || path.startsWith('fields.')
    // The first error of a field is shown.
    if (hasField) byField[path] ??= problem.message
    else unplaced.push(problem)
  }
  return { byField, unplaced }
}

/** The errors of the blocks, by their path in the body: `3.title`. */
export const bodyProblems = (problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith('body.') ? [[path.slice('body.'.length), message]] : [],
    ),
  )
