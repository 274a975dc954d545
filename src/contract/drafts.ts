import { z } from 'zod'
import { limits } from './limits.ts'
import { counter, counterMax, counterText } from './list.ts'
import { author, draftText, instant } from './pages.ts'

/** The text of a draft within limits, without NUL characters, which PostgreSQL cannot store. */
const boundedDraft = draftText
  .superRefine((text, ctx) => {
    const refuse = (message: 'value' | 'tooLong') => ctx.addIssue({ code: 'custom', message, path: ['body'] })
    if (isDeeperThan(text.body, limits.draftLevels)) refuse('value')
    else if (new TextEncoder().encode(JSON.stringify(text)).length > limits.draftBytes) refuse('tooLong')
  })
  .transform((text) => withoutNul(text) as typeof text)

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1)))

const removeNul = (text: string) => text.replaceAll('\0', '')

/** A copy of a JSON value without NUL in texts and keys. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return removeNul(value)
  if (Array.isArray(value)) return value.map(withoutNul)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [removeNul(key), withoutNul(child)]))
}

export const draftToSave = z
  .strictObject({
    text: boundedDraft,
    /** The saved version of the page on which the draft is based. */
    baseVersion: counter,
    /** The current revision, of the draft or else the page's `draftRevision`; with another the save is refused. */
    revision: counter.max(counterMax - 1),
  })
  .meta({ id: 'DraftToSave' })
export type DraftToSave = z.infer<typeof draftToSave>

export const savedDraft = z.object({ revision: z.int(), savedAt: instant }).meta({ id: 'SavedDraft' })
export type SavedDraft = z.infer<typeof savedDraft>

/** The revision to discard; omitted: any. */
export const draftToDiscard = z.strictObject({ revision: counterText.max(counterMax - 1).optional() })

export const draft = z
  .object({ text: draftText, revision: z.int(), savedAt: instant, baseVersion: z.int() })
  .meta({ id: 'Draft' })
export type Draft = z.infer<typeof draft>

/** The stored draft, as `current` in the 409 of a refused save. */
const staleDraft = draft.extend({
  /** Null: the draft ended, because the page was saved or the draft discarded; `revision` is still required. */
  text: draftText.nullable(),
})
export type StaleDraft = z.infer<typeof staleDraft>

/** The id of an editor in one browser tab, which generates it; the field `editor`. */
const tabId = z.string().regex(/^[A-Za-z0-9-]{8,40}$/)
export const presenceSignal = z.strictObject({ editor: tabId }).meta({ id: 'PresenceSignal' })
/** The closed tab; when omitted, all tabs of the actor. */
export const presenceEnd = z.strictObject({ editor: tabId.optional() })
export const presence = z
  .object({
    /** Other users who have the page open in this language. */
    others: z.array(z.object({ id: z.int(), name: z.string(), since: instant })),
    /** The saved version of the page. */
    version: z.int(),
    savedAt: instant.nullable(),
    savedBy: author.nullable(),
  })
  .meta({ id: 'Presence' })
export type Presence = z.infer<typeof presence>

export const previewLink = z.object({ url: z.string(), endsAt: instant }).meta({ id: 'PreviewLink' })
