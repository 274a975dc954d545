import type { StaleDraft } from '../../../contract/drafts.ts'
import type { Locale } from '../../../contract/locales.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { randomId } from '../../../contract/random-id.ts'
import { ApiRefusal, apiWithoutReauthentication, isApiRefusal, parseResponse } from '../../client.ts'
import { DraftAutosave, type DraftAutosaveOptions, type DraftBase, type SendFailure } from './draft-autosave.ts'
import { type DraftKey, type LocalDraft, openLocalDrafts } from './local-drafts.ts'

/** Browsers limit keepalive requests to 64 KB; this leaves room for the rest of the request. */
const keepaliveBytes = 60_000

export const localDrafts = openLocalDrafts()

/** Returns an autosave of this tab's changes to the server and to this browser, with a new tab id. */
export function createDraftAutosave(
  key: DraftKey,
  base: DraftBase,
  form: Pick<DraftAutosaveOptions, 'onMerged' | 'focusedField'>,
): DraftAutosave {
  const tabId = randomId()
  return new DraftAutosave(
    {
      ...form,
      tabId,
      merge: (base, mine, theirs) => mergePage(base, mine, theirs).text,
      failureOf,
      staleDraftIn,
      store: async (draft) => (draft ? localDrafts.put(key, draft) : localDrafts.remove(key, tabId).then(() => true)),
      async send(draft, { signal, unloading }) {
        const keepalive = unloading && sizeOf(draft.text) < keepaliveBytes
        const call = apiWithoutReauthentication.pages[':id'][':locale'].draft
        return parseResponse(call.$put({ param: parametersOf(key), json: draft }, { init: { signal, keepalive } }))
      },
    },
    base,
  )
}

/**
 * Deletes the stored draft if this tab wrote it, also when the response was lost. A draft of another tab stays.
 * @returns the revision for the next autosave
 */
export async function deleteDraft(
  key: DraftKey,
  autosave: DraftAutosave,
  revision = autosave.revision,
): Promise<number> {
  try {
    const call = apiWithoutReauthentication.pages[':id'][':locale'].draft
    await parseResponse(call.$delete({ param: parametersOf(key), query: { revision: String(revision) } }))
    return revision + 1
  } catch (error) {
    const storedDraft = staleDraftIn(error)
    if (!storedDraft) throw error
    if (!storedDraft.text) return storedDraft.revision
    if (autosave.isOwn({ text: storedDraft.text })) return deleteDraft(key, autosave, storedDraft.revision)
    // With the outdated revision the next autosave is refused as stale, and then both texts are merged.
    return revision
  }
}

const parametersOf = ({ page, locale }: DraftKey): { id: string; locale: Locale } => ({ id: String(page), locale })

const staleDraftIn = (error: unknown): StaleDraft | undefined =>
  isApiRefusal(error, 'stale') ? (error.problem.current as StaleDraft | undefined) : undefined

function failureOf(error: unknown): SendFailure {
  if (isApiRefusal(error, 'signed_out')) return 'signed_out'
  if (!(error instanceof ApiRefusal)) return 'unreachable'
  const { status } = error.problem
  return status >= 500 || status === 429 || status === 408 ? 'unreachable' : 'refused'
}

const sizeOf = (text: DraftText) => new Blob([JSON.stringify(text)]).size

const lockNameOf = (tabId: string) => `etalage-draft-${tabId}`

/** Holds a Web Lock until the tab is closed or the signal aborts, so that other tabs do not offer this tab's draft. */
export function claimDraft(tabId: string, until: AbortSignal): void {
  // Without https there are no locks, so another tab may offer a draft that is still being written.
  void navigator.locks
    ?.request(lockNameOf(tabId), () => new Promise<void>((done) => until.addEventListener('abort', () => done())))
    .catch(() => {})
}

/** How long to wait for the lock of a tab that is being closed: it gives up its lock within moments. */
const lockWaitMs = 500

/** The drafts in this browser of tabs that are closed. */
export async function listAbandonedDrafts(key: DraftKey): Promise<LocalDraft[]> {
  const drafts = await localDrafts.list(key)
  const claimed = await Promise.all(drafts.map(({ editor }) => isClaimed(editor)))
  return drafts.filter((_, index) => !claimed[index])
}

/** Whether an open tab holds the lock of its draft. Never without https, where browsers have no locks. */
async function isClaimed(tabId: string): Promise<boolean> {
  try {
    await navigator.locks?.request(lockNameOf(tabId), { signal: AbortSignal.timeout(lockWaitMs) }, () => {})
    return false
  } catch {
    // The wait ended without the lock, which also happens on a slow computer: then no tab has it.
    const locks = await navigator.locks.query().catch(() => undefined)
    return !locks || [...(locks.held ?? []), ...(locks.pending ?? [])].some(({ name }) => name === lockNameOf(tabId))
  }
}
