import type { StaleDraft } from '../../src/contract/drafts.ts'
import type { DraftText } from '../../src/contract/pages.ts'
import type { SignedIn } from './staff.ts'

/** One browser tab, which has the revision of the draft that it read or saved last. */
export function aBrowserTab(editor: SignedIn, pageId: number, locale = 'nl') {
  const at = `/api/pages/${pageId}/${locale}`
  const tab = {
    revision: 0,
    /** Sends a draft and ignores the response. */
    send(text: Partial<DraftText>, named: { revision?: number } = {}): Promise<Response> {
      return editor.put(`${at}/draft`, { text, revision: named.revision ?? tab.revision, baseVersion: 2 })
    },
    /** Sends a draft that must be accepted. */
    async save(text: Partial<DraftText>): Promise<{ revision: number; savedAt: string }> {
      const answer = await tab.send(text)
      if (answer.status !== 200) throw new Error(await answer.text())
      const stored = await answer.json()
      tab.revision = stored.revision
      return stored
    },
    discard: (): Promise<Response> => editor.delete(`${at}/draft?revision=${tab.revision}`),
    savePage: (text: Partial<DraftText>, version: number): Promise<Response> =>
      editor.put(at, { text, version, draftRevision: tab.revision }),
  }
  return tab
}

export const storedDraft = async (editor: SignedIn, id: number): Promise<DraftText> =>
  (await (await editor.get(`/api/pages/${id}/nl/draft`)).json()).text

/** The stored draft in the response to a refused one. */
export async function currentIn(answer: Response): Promise<StaleDraft> {
  if (answer.status !== 409) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()).current
}
