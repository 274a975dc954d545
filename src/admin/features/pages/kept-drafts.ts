import { createStore, del, entries, set, type UseStore } from 'idb-keyval'
import type { Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'

/** Whose draft of what; each tab keeps its own. */
export interface DraftPlace {
  user: number
  page: number
  locale: Locale
}

/** What a tab had typed and the server has not acknowledged. */
export interface KeptDraft {
  editor: string
  text: DraftText
  baseVersion: number
  /** When it was typed. */
  at: string
}

export interface KeptDrafts {
  /** @returns false when it is kept in memory alone, and is gone with the tab */
  put(place: DraftPlace, kept: KeptDraft): Promise<boolean>
  remove(place: DraftPlace, editor: string): Promise<void>
  /** The newest first. Drafts of anybody else are never among them. */
  of(place: DraftPlace): Promise<KeptDraft[]>
}

/** Who has not come back for it by then does not. */
const forgottenAfterMs = 90 * 24 * 60 * 60_000

/** In the browser's database; where it has none, or lets nobody in, in memory. */
export function openKeptDrafts(): KeptDrafts {
  const memory = new Map<string, KeptDraft>()
  let store: UseStore | undefined
  const stored = () => {
    store ??= createStore('etalage-drafts', 'kept')
    return store
  }
  return {
    async put(place, kept) {
      const key = keyOf(place, kept.editor)
      memory.set(key, kept)
      return attempt(async () => {
        await set(key, kept, stored())
        return true
      }, false)
    },
    async remove(place, editor) {
      const key = keyOf(place, editor)
      memory.delete(key)
      await attempt(() => del(key, stored()), undefined)
    },
    async of(place) {
      const all = new Map([...(await attempt(() => entries<string, KeptDraft>(stored()), [])), ...memory])
      const start = keyOf(place, '')
      const oldest = new Date(Date.now() - forgottenAfterMs).toISOString()
      return [...all]
        .filter(([key, { at }]) => key.startsWith(start) && at > oldest)
        .map(([, kept]) => kept)
        .sort((one, other) => (one.at < other.at ? 1 : -1))
    },
  }
}

const keyOf = ({ user, page, locale }: DraftPlace, editor: string) => `${user}/${page}/${locale}/${editor}`

async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work()
  } catch {
    // A private window, a full disk, a browser that was told to keep nothing: the server is tried all the same.
    return otherwise
  }
}
