import type { DraftText } from '../../src/contract/pages.ts'
import type { SignedIn } from './staff.ts'

/** One tab of one browser, which counts its own saves. */
export function aTab(editor: SignedIn, pageId: number, name: string, locale = 'nl') {
  let number = 0
  const at = `/api/pages/${pageId}/${locale}/draft`
  const tab = {
    known: 0,
    name,
    number: () => number,
    /** @param as the number, when it is another than the next */
    async save(text: Partial<DraftText>, more: { as?: number; baseVersion?: number } = {}) {
      const { as = ++number, baseVersion = 2 } = more
      const body = { text, editor: name, number: as, baseVersion, knownNumber: tab.known }
      return editor.put(at, body)
    },
    /** The same, and hears the answer. */
    async told(text: Partial<DraftText>) {
      const answer = await tab.save(text)
      if (answer.status !== 200) throw new Error(await answer.text())
      const stored = await answer.json()
      tab.known = stored.number
      return stored as { number: number; savedAt: string; merged?: DraftText }
    },
  }
  return tab
}

export const storedDraft = async (editor: SignedIn, id: number): Promise<DraftText> =>
  (await (await editor.get(`/api/pages/${id}/nl/draft`)).json()).text
