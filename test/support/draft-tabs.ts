import type { StaleDraft } from '../../src/contract/drafts.ts'
import type { DraftText } from '../../src/contract/pages.ts'
import type { SignedIn } from './staff.ts'

/** A browser tab that edits the draft of a page through the API, and has the revision that it saved last. */
export function aBrowserTab(editor: SignedIn, pageId: number, locale = 'nl') {
  const pagePath = `/api/pages/${pageId}/${locale}`
  const tab = {
    revision: 0,
    /** Sends a draft, and does not take over the revision in the response. */
    send(text: Partial<DraftText>, overrides: { revision?: number } = {}): Promise<Response> {
      return editor.put(`${pagePath}/draft`, { text, revision: overrides.revision ?? tab.revision, baseVersion: 2 })
    },
    /** Sends a draft, and takes over its new revision. @throws when it is refused */
    async save(text: Partial<DraftText>): Promise<{ revision: number; savedAt: string }> {
      const response = await tab.send(text)
      if (response.status !== 200) throw new Error(await response.text())
      const savedDraft = await response.json()
      tab.revision = savedDraft.revision
      return savedDraft
    },
    discard: (): Promise<Response> => editor.delete(`${pagePath}/draft?revision=${tab.revision}`),
    savePage: (text: Partial<DraftText>, version: number): Promise<Response> =>
      editor.put(pagePath, { text, version, draftRevision: tab.revision }),
  }
  return tab
}

/** The stored draft of the Dutch text of a page. */
export const getStoredDraft = async (editor: SignedIn, id: number): Promise<DraftText> =>
  (await (await editor.get(`/api/pages/${id}/nl/draft`)).json()).text

/** The stored draft in a response that refused another one (409). @throws for any other status */
export async function currentDraftIn(response: Response): Promise<StaleDraft> {
  if (response.status !== 409) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()).current
}
