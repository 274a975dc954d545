import { fitsDraft } from '../../contract/draft-bounds.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { mergePage, same } from '../../contract/merge-page.ts'
import type { ChangedPage, Draft, DraftEnd, DraftText, DraftToSave, SavedDraft } from '../../contract/pages.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { lockFiles } from '../files/lock-files.ts'
import {
  type DraftRow,
  findDraftRow,
  findStep,
  findTab,
  hasWrittenSince,
  type TabRow,
  writeDraft,
  writeTab,
} from './draft.queries.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canWritePages } from './page.policy.ts'
import type { PageAt } from './page-write.queries.ts'
import { findVersion } from './revision.queries.ts'

/** One's own draft: nobody else has it. @throws {Refusal} `not_found` */
export async function getDraft(ctx: Context, { id, locale }: { id: number; locale: Locale }): Promise<Draft> {
  const actor = allow(ctx, canWritePages)
  await getPageRow(ctx.db, id)
  const row = await findDraftRow(ctx.db, { pageId: id, locale }, actor.id)
  if (!row?.text) throw new Refusal('not_found')
  return { text: row.text, number: row.number, savedAt: row.savedAt, baseVersion: row.baseVersion }
}

/**
 * Keeps what somebody is writing. What comes late changes nothing; what another tab of the same person wrote since is
 * joined with it, and nothing that was typed in either is lost.
 * @throws {Refusal} `not_found`, `page_in_bin`
 */
export async function saveDraft(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  input: DraftToSave,
): Promise<SavedDraft> {
  const actor = allow(ctx, canWritePages)
  const at: PageAt = { pageId: id, locale }
  const now = ctx.now()

  return ctx.transaction(async (tx) => {
    // In the order of a save of the page, which locks files and then the draft.
    if (addressesIn(JSON.stringify(input.text)).length > 0) await lockFiles(tx, ctx)
    await lockDraft(tx, ctx, at, actor.id)
    await openPageRow(tx, id)
    const stored = await findDraftRow(tx, at, actor.id)
    const tab = await findTab(tx, at, actor.id, input.editor)
    if (stored && tab && input.number <= tab.editorNumber) {
      return { number: stored.number, savedAt: stored.savedAt }
    }
    const { text, baseVersion } = stored?.text ? await joined(tx, at, actor.id, { stored, tab, input }) : input
    const number = (stored?.number ?? 0) + 1
    const savedAt = now.toISOString()
    await writeDraft(tx, at, actor.id, { text, number, baseVersion, savedAt })
    await writeTab(tx, at, actor.id, {
      editor: input.editor,
      editorNumber: input.number,
      number,
      text: input.text,
      at: now,
    })
    return { number, savedAt, ...(!same(text, input.text) && { merged: text }) }
  })
}

/** Both tabs' changes since what they have in common: what this one was told last, or else sent last and was not told of. */
async function joined(
  tx: Transaction,
  at: PageAt,
  userId: number,
  { stored, tab, input }: { stored: DraftRow; tab: TabRow | undefined; input: DraftToSave },
): Promise<{ text: DraftText; baseVersion: number }> {
  const theirs = stored.text as DraftText
  if (input.knownNumber >= stored.number) return input
  const unheard = tab?.text && tab.number > input.knownNumber ? tab : undefined
  if (unheard?.number === stored.number && same(unheard.text, theirs)) return input
  const base =
    unheard?.text ??
    (await findStep(tx, at, userId, input.knownNumber)) ??
    ((await findVersion(tx, at, input.baseVersion))?.text as DraftText | undefined) ??
    emptied(input.text)
  // What rests on an older version lacks what was saved since, so the whole rests on that.
  const baseVersion = Math.min(input.baseVersion, stored.baseVersion)
  const { text } = mergePage(base, input.text, theirs)
  // Two tabs that paste again and again must not make it grow without end: then what was typed last counts alone.
  return fitsDraft(text) ? { text, baseVersion } : input
}

/** What two drafts of a text that was never saved have in common. */
const emptied = (text: DraftText): DraftText => ({
  ...text,
  title: '',
  slug: '',
  seoTitle: '',
  description: '',
  picture: '',
  body: [],
})

/** Throws one's own draft away, as far as the tab knows of it. @throws {Refusal} `not_found` */
export async function discardDraft(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  end: DraftEnd,
): Promise<void> {
  const actor = allow(ctx, canWritePages)
  await ctx.transaction(async (tx) => {
    await getPageRow(tx, id)
    const { editor, number = 0, knownNumber } = end
    const tab = editor === undefined ? undefined : { editor, number, knownNumber }
    if (!(await endDraft(tx, ctx, { at: { pageId: id, locale }, userId: actor.id, tab })))
      throw new Refusal('not_found')
  })
}

/**
 * Ends a draft: it was saved, or thrown away. Autosaves of the tab that did so bring nothing back when they come late.
 * What another tab of the same person wrote since this one heard of it waits on, when it says something else.
 * @param end.saved what was saved
 * @returns whether there was one
 */
export async function endDraft(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now'>,
  end: { at: PageAt; userId: number; tab: ChangedPage['tab']; saved?: DraftText },
): Promise<boolean> {
  const { at, userId, tab, saved } = end
  await lockDraft(tx, ctx, at, userId)
  const now = ctx.now()
  const stored = await findDraftRow(tx, at, userId)
  if (!stored && !tab) return false
  const known = tab && (await findTab(tx, at, userId, tab.editor))
  const over = { number: stored?.number ?? 0, baseVersion: stored?.baseVersion ?? 0, savedAt: now.toISOString() }
  const waitsOn =
    stored?.text != null && !(saved && same(stored.text, saved)) && (await isUnheard(tx, at, userId, { tab, known }))
  if (!waitsOn) await writeDraft(tx, at, userId, { text: null, ...over })
  if (tab) {
    // Where it waits on, what this tab wrote into it stays what its next autosave is compared with.
    const wrote = waitsOn
      ? { number: known?.number ?? 0, text: known?.text ?? null }
      : { number: over.number, text: null }
    const editorNumber = Math.max(known?.editorNumber ?? 0, tab.number)
    await writeTab(tx, at, userId, { editor: tab.editor, editorNumber, ...wrote, at: now })
  }
  return stored?.text != null
}

/** Whether another tab wrote since this one heard of the draft. */
async function isUnheard(
  tx: Transaction,
  at: PageAt,
  userId: number,
  { tab, known }: { tab: ChangedPage['tab']; known: TabRow | undefined },
): Promise<boolean> {
  const number = tab?.knownNumber ?? known?.number
  return tab !== undefined && number !== undefined && hasWrittenSince(tx, at, userId, { not: tab.editor, number })
}

/** One save of a draft at a time, whichever copy of the program it comes to. */
const lockDraft = (tx: Transaction, ctx: Pick<Context, 'dialect'>, { pageId, locale }: PageAt, userId: number) =>
  ctx.dialect.lock(tx, `draft:${pageId}:${locale}:${userId}`)
