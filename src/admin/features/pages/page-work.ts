import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { mergePage, same } from '../../../contract/merge-page.ts'
import type { DraftText, PageInLocale, SavedPage, StalePage } from '../../../contract/pages.ts'
import { answer, api, isRefused, Refused } from '../../client.ts'
import type { FieldProblem } from '../../components/form-problems.ts'
import { useMe } from '../sign-in/me.ts'
import { Collisions } from './collisions-later.ts'
import type { OfferedDraft } from './open-draft.ts'
import { placeProblems } from './page-problems.ts'
import { pageQuery } from './pages.ts'
import { claimDraft, draftKeeperOf, keptDrafts } from './tab-drafts.ts'
import { tellSaved } from './tell-saved.tsx'
import { useUndoSave } from './undo-save.ts'

interface Failure {
  error: unknown
  /** What was refused and stands at none of its fields. */
  unplaced: FieldProblem[]
  /** How often a save has failed: to tell it anew each time. */
  count: number
}

/** What the text rests on: as it is saved, and the version that the work began with. */
interface Base {
  text: DraftText
  version: number
}

/** The work on a page in one language: what is typed, its draft, and saving it. */
export function usePageWork(page: PageInLocale) {
  const me = useMe()
  const queries = useQueryClient()
  const undoSave = useUndoSave(page)
  const [text, setText] = useState(page.text)
  const [base, setBase] = useState<Base>({ text: page.text, version: page.version })
  const [saving, setSaving] = useState<'save' | 'publish'>()
  const [failure, setFailure] = useState<Failure>()
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [stale, setStale] = useState<{ current: StalePage; publish: boolean }>()
  /** What is shown, for what comes later than this drawing of it. */
  const shown = useRef(text)
  const show = useCallback((next: DraftText) => {
    shown.current = next
    setText(next)
  }, [])
  const place = { user: me.id, page: page.id, locale: page.locale }
  const [keeper] = useState(() =>
    draftKeeperOf(
      place,
      { text: page.text, baseVersion: page.version, knownNumber: page.draft?.number ?? 0 },
      { onMerged: show, cursor: fieldWithCursor },
    ),
  )
  const draft = useSyncExternalStore(keeper.subscribe, keeper.get)
  const dirty = !same(text, base.text)

  useEffect(() => watchTab(keeper), [keeper])

  const change = useCallback(
    (changes: Partial<DraftText>) => {
      show({ ...shown.current, ...changes })
      keeper.change(shown.current)
      setProblems((before) => withoutChanged(before, changes))
    },
    [keeper, show],
  )

  /** The work goes on from what the server has now. */
  const restart = (now: PageInLocale, next: DraftText, knownNumber = now.draft?.number ?? 0) => {
    setBase({ text: now.text, version: now.version })
    show(next)
    keeper.restart({ text: now.text, baseVersion: now.version, knownNumber }, next)
  }
  const know = (now: PageInLocale) => {
    queries.setQueryData(pageQuery(page.id, page.locale).queryKey, now)
    for (const key of ['list', 'revisions', 'presence']) void queries.invalidateQueries({ queryKey: ['pages', key] })
    void queries.invalidateQueries({ queryKey: ['redirects'] })
  }

  // What others saved is shown as long as nothing was typed here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version matters
  useEffect(() => {
    if (page.version > base.version && !dirty && !saving) restart(page, page.text)
  }, [page.version, dirty, saving])

  async function save(publish: boolean, sent = keeper.text, version = base.version): Promise<SavedPage | undefined> {
    if (saving) return undefined
    setSaving(publish ? 'publish' : 'save')
    setFailure(undefined)
    setProblems({})
    keeper.hold()
    try {
      const saved = await answer(
        api.pages[':id'][':locale'].$put({
          param: { id: String(page.id), locale: page.locale },
          json: { text: sent, version, publish, tab: keeper.tab } as never,
        }),
      )
      restart(saved, mergePage(sent, shown.current, saved.text).text, 0)
      know(saved)
      tellSaved(saved, me, saved.undo ? () => undoSave(saved) : undefined)
      return saved
    } catch (refused) {
      keeper.release()
      const { current, error } = await collisionOf(refused)
      if (current) setStale({ current, publish })
      else {
        const { placed, unplaced } = placeProblems(error instanceof Refused ? error.problem.errors : [])
        setProblems(placed)
        setFailure((before) => ({ error, unplaced, count: (before?.count ?? 0) + 1 }))
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
    /** The version that the work began with. */
    baseVersion: base.version,
    draft,
    keeper,
    saving,
    failure,
    problems,
    change,
    /** Fills in what another text says, and leaves what was typed here. */
    fill(other: DraftText) {
      change(mergePage(base.text, shown.current, other).text)
    },
    save,
    /** What the page is now, after something else than a save was done with it. */
    know,
    /** Somebody saved the same meanwhile: what collides, and the choice. Until it is made nothing is written. */
    stale: stale && {
      ...stale.current,
      close: () => setStale(undefined),
      choose(chosen: DraftText) {
        setStale(undefined)
        show(chosen)
        keeper.change(chosen)
        void save(stale.publish, chosen, stale.current.page.version)
      },
    },
    load(offer: OfferedDraft) {
      const stored = offer.stored ?? { text: page.text, number: page.draft?.number ?? 0 }
      setBase({ text: page.text, version: offer.baseVersion })
      show(offer.text)
      const from = { text: stored.text, baseVersion: offer.baseVersion, knownNumber: stored.number }
      keeper.restart(from, offer.text)
      for (const editor of offer.kept) void keptDrafts.remove(place, editor)
    },
    /** Throws the draft away, and shows what is saved. @returns what was thrown away */
    async discard(offer?: OfferedDraft): Promise<DraftText> {
      const thrown = offer?.text ?? keeper.text
      const { editor, number, knownNumber } = keeper.tab
      keeper.hold()
      try {
        await answer(
          api.pages[':id'][':locale'].draft.$delete({
            param: { id: String(page.id), locale: page.locale },
            query: { editor, number: String(number), knownNumber: String(knownNumber) },
          }),
        ).catch(forgiveGone)
      } catch (error) {
        keeper.release()
        throw error
      }
      for (const editor of offer?.kept ?? []) void keptDrafts.remove(place, editor)
      restart(page, offer ? shown.current : page.text, 0)
      void queries.invalidateQueries({ queryKey: ['pages', 'list'] })
      return thrown
    },
  }
}

export type PageWork = ReturnType<typeof usePageWork>

/** What somebody saved meanwhile, once there is something to show it with. */
async function collisionOf(error: unknown): Promise<{ current?: StalePage; error: unknown }> {
  if (!isRefused(error, 'stale') || !error.problem.current) return { error }
  const current = error.problem.current as StalePage
  return Collisions.load().then(
    () => ({ current, error }),
    (notLoaded) => ({ error: notLoaded }),
  )
}

/** There may be none any more: that was what was wanted. */
function forgiveGone(error: unknown): void {
  if (!isRefused(error, 'not_found')) throw error
}

/** What is changed is not wrong any more, as far as is known here; of a body, its blocks say so themselves. */
function withoutChanged(problems: Record<string, string>, changes: Partial<DraftText>): Record<string, string> {
  const kept = Object.entries(problems).filter(([path]) => path.includes('.') || !(path in changes))
  return kept.length === Object.keys(problems).length ? problems : Object.fromEntries(kept)
}

/** The parts of the form say which field they are. */
function fieldWithCursor(): keyof DraftText | undefined {
  const field = document.activeElement?.closest<HTMLElement>('[data-page-field]')?.dataset.pageField
  return field as keyof DraftText | undefined
}

/** Sends when the tab is left and when the network is back. @returns what ends it */
function watchTab(keeper: ReturnType<typeof draftKeeperOf>): () => void {
  const over = new AbortController()
  const { signal } = over
  keeper.resume()
  claimDraft(keeper.tab.editor, signal)
  const seen = () => (document.visibilityState === 'hidden' ? keeper.leave() : keeper.retry())
  addEventListener('pagehide', () => keeper.leave(), { signal })
  document.addEventListener('visibilitychange', seen, { signal })
  addEventListener('online', () => keeper.retry(), { signal })
  addEventListener('focus', () => keeper.retry(), { signal })
  // A moment later the next field has the cursor, where there is one.
  document.addEventListener('focusout', () => setTimeout(() => keeper.cursorLeft()), { signal })
  return () => {
    keeper.end()
    over.abort()
  }
}
