import { createStore, del, entries, set, type UseStore } from 'idb-keyval'
import type { Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'

/** The user and page of a draft; each tab has its own draft. */
export interface DraftKey {
  user: number
  page: number
  locale: Locale
}

/** Changes in a tab that the server has not acknowledged. The names are those of drafts that earlier releases stored. */
export interface LocalDraft {
  /** The id of the tab. */
  editor: string
  text: DraftText
  baseVersion: number
  /** When the draft was stored, as an ISO time. */
  at: string
}

interface LocalDrafts {
  /** Stores a tab's draft. @returns false if it is stored in memory only, and is lost when the tab closes */
  put(key: DraftKey, draft: LocalDraft): Promise<boolean>
  remove(key: DraftKey, tabId: string): Promise<void>
  /** This user's drafts of the page, of all tabs, the newest first. */
  list(key: DraftKey): Promise<LocalDraft[]>
}

/** Older drafts are no longer listed. */
const maxAgeMs = 90 * 24 * 60 * 60_000

/** Stores drafts in IndexedDB, or in memory if it is not available. */
export function openLocalDrafts(): LocalDrafts {
  const memory = new Map<string, LocalDraft>()
  let store: UseStore | undefined
  const openStore = () => {
    store ??= createStore('etalage-drafts', 'kept')
    return store
  }
  return {
    async put(key, draft) {
      const storageKey = storageKeyOf(key, draft.editor)
      memory.set(storageKey, draft)
      return attempt(async () => {
        await set(storageKey, draft, openStore())
        return true
      }, false)
    },
    async remove(key, tabId) {
      const storageKey = storageKeyOf(key, tabId)
      memory.delete(storageKey)
      await attempt(() => del(storageKey, openStore()), undefined)
    },
    async list(key) {
      const stored = await attempt(() => entries<string, LocalDraft>(openStore()), [])
      const prefix = storageKeyOf(key, '')
      const oldest = new Date(Date.now() - maxAgeMs).toISOString()
      return [...new Map([...stored, ...memory])]
        .filter(([storageKey, { at }]) => storageKey.startsWith(prefix) && at > oldest)
        .map(([, draft]) => draft)
        .sort((a, b) => (a.at < b.at ? 1 : -1))
    },
  }
}

const storageKeyOf = ({ user, page, locale }: DraftKey, tabId: string) => `${user}/${page}/${locale}/${tabId}`

async function attempt<T>(task: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await task()
  } catch {
    // Private browsing, a full disk or blocked storage: the draft is still sent to the server.
    return fallback
  }
}
