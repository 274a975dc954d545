import type { Locale } from '../../../contract/locales.ts'
import { mergePage } from '../../../contract/merge-page.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { answer, bareApi, isRefused, Refused } from '../../client.ts'
import { type DraftBase, DraftKeeper, type DraftParts, type Trouble } from './draft-keeper.ts'
import { type DraftPlace, type KeptDraft, openKeptDrafts } from './kept-drafts.ts'

/** Browsers send on leaving what has less than 64 KB; the envelope is small. */
const leavingBytes = 60_000

export const keptDrafts = openKeptDrafts()

/** A keeper that speaks to the server and to this browser. */
export function draftKeeperOf(
  place: DraftPlace,
  base: DraftBase,
  parts: Pick<DraftParts, 'onMerged' | 'cursor'>,
): DraftKeeper {
  const editor = newEditor()
  let strange = false
  return new DraftKeeper(
    {
      ...parts,
      editor,
      merge: (was, mine, theirs) => mergePage(was, mine, theirs).text,
      troubleOf,
      keep: async (kept) => (kept ? keptDrafts.put(place, kept) : keptDrafts.remove(place, editor).then(() => true)),
      async send(draft, { signal, leaving }) {
        if (strange) await refuseStranger(place.user)
        try {
          const keepalive = leaving && sizeOf(draft.text) < leavingBytes
          const call = bareApi.pages[':id'][':locale'].draft
          const sent = await answer(
            call.$put({ param: parametersOf(place), json: draft }, { init: { signal, keepalive } }),
          )
          strange = false
          return sent
        } catch (error) {
          strange = troubleOf(error) === 'signed_out'
          throw error
        }
      },
    },
    base,
  )
}

const parametersOf = ({ page, locale }: DraftPlace): { id: string; locale: Locale } => ({ id: String(page), locale })

/** After a session has ended somebody else may have signed in, in another tab: then this draft is not theirs. */
async function refuseStranger(user: number): Promise<void> {
  const now = await answer(bareApi.me.$get())
  if (now.id === user) return
  throw new Refused({ title: '', status: 401, detail: '', code: 'signed_out', errors: [] })
}

function troubleOf(error: unknown): Trouble {
  if (isRefused(error, 'signed_out')) return 'signed_out'
  if (!(error instanceof Refused)) return 'unreachable'
  const { status } = error.problem
  return status >= 500 || status === 429 || status === 408 ? 'unreachable' : 'refused'
}

const sizeOf = (text: DraftText) => new Blob([JSON.stringify(text)]).size

/** `crypto.randomUUID` is not there on a site without https. */
function newEditor(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const lockOf = (editor: string) => `etalage-draft-${editor}`

/** As long as this tab lives its draft is its own; another tab then does not offer it. */
export function claimDraft(editor: string, until: AbortSignal): void {
  // Without https there are no locks, and a draft of a second is offered that another tab still writes.
  void navigator.locks
    ?.request(lockOf(editor), () => new Promise<void>((done) => until.addEventListener('abort', () => done())))
    .catch(() => {})
}

/** What tabs that are gone have left here. */
export async function leftDrafts(place: DraftPlace): Promise<KeptDraft[]> {
  const kept = await keptDrafts.of(place)
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {}
  const claimed = new Set(held.map(({ name }) => name))
  return kept.filter(({ editor }) => !claimed.has(lockOf(editor)))
}
