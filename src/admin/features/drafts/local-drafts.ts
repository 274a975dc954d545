import { createStore, del, entries, set, type UseStore } from 'idb-keyval'
import type { Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'

/** The user and page of a draft; each tab has its own draft. */
export interface DraftKey {
  user: number
  page: number
  locale: Locale
}

/** Changes in a tab that the server has not acknowledged. The format is the same as in earlier releases. */
export interface LocalDraft {
  /** The id of the tab. */
  editor: string
  text: DraftText
  baseVersion: number
  /** When it was typed. */
  at: string
}

export interface LocalDrafts {
  /** @returns false if it is stored in memory only, and is lost when the tab closes */
  put(key: DraftKey, draft: LocalDraft): Promise<boolean>
  remove(key: DraftKey, tabId: string): Promise<void>
  /** The newest first. Only this user's drafts. */
  list(key: DraftKey): Promise<LocalDraft[]>
}

/** Older drafts are no longer offered. */
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
      const name = nameOf(key, draft.editor)
      memory.set(name, draft)
      return attempt(async () => {
        await set(name, draft, openStore())
        return true
      }, false)
    },
    async remove(key, tabId) {
      const name = nameOf(key, tabId)
      memory.delete(name)
      await attempt(() => del(name, openStore()), undefined)
    },
    async list(key) {
      const all = new Map([...(await attempt(() => entries<string, LocalDraft>(openStore()), [])), ...memory])
      const start = nameOf(key, '')
      const oldest = new Date(Date.now() - maxAgeMs).toISOString()
      return [...all]
        .filter(([name, { at }]) => name.startsWith(start) && at > oldest)
        .map(([, draft]) => draft)
        .sort((one, other) => (one.at < other.at ? 1 : -1))
    },
  }
}

const nameOf = ({ user, page, locale }: DraftKey, tabId: string) => `${user}/${page}/${locale}/${tabId}`

async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work()
  } catch {
    // Private browsing, a full disk or blocked storage: the draft is still sent to the server.
    return otherwise
  }
}
