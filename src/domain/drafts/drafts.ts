import { sectionIdsIn } from '../../blocks/section.tsx'
import type { Dashboard } from '../../contract/dashboard.ts'
import type { Draft, DraftToSave, Presence, SavedDraft, StaleDraft } from '../../contract/drafts.ts'
import { Refusal } from '../../contract/errors.ts'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import { limits } from '../../contract/limits.ts'
import type { PageParameters } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { shownAuthor } from '../audit/record.ts'
import { lockFiles } from '../files/lock-files.ts'
import { getPageRow, getUntrashedPageRow, refuseUnavailableLocale } from '../pages/list-pages.ts'
import { canSeePages, canWritePages } from '../pages/page.policy.ts'
import { type DraftRow, findDraft, writeDraft } from '../pages/page-draft.queries.ts'
import {
  countDrafts,
  countDraftsOf,
  deletePresence,
  deletePresenceBefore,
  listDraftsOf,
  listOtherUsers,
  writePresence,
} from './draft.queries.ts'

/** The actor's own draft; drafts of others cannot be read. @throws {Refusal} `not_found` */
export async function getDraft(ctx: Context, { id, locale }: PageParameters): Promise<Draft> {
  const actor = allow(ctx, canWritePages)
  await getPageRow(ctx.db, id)
  const { text, ...draft } = await findDraft(ctx.db, { pageId: id, locale }, actor.id)
  if (!text) throw new Refusal('not_found')
  return { text, ...draft }
}

/**
 * Stores a draft as the successor of `input.revision`. When the stored revision is another one, nothing is stored, so a
 * late or repeated request changes nothing and another tab's text is not overwritten.
 * @throws {Refusal} `not_found`, `page_in_bin`; `stale` with a `StaleDraft`
 */
export async function saveDraft(ctx: Context, { id, locale }: PageParameters, input: DraftToSave): Promise<SavedDraft> {
  const actor = allow(ctx, canWritePages)
  const key = { pageId: id, locale }
  const { text, baseVersion } = input
  const next = { text, baseVersion, revision: input.revision + 1, savedAt: ctx.now().toISOString() }
  return ctx.transaction(async (tx) => {
    // The same lock order as saving a page: files and sections, which have one lock, and then the draft.
    const usesFilesOrSections = publicFileIdsIn(JSON.stringify(text)).length > 0 || sectionIdsIn(text.body).length > 0
    if (usesFilesOrSections) await lockFiles(tx, ctx)
    refuseUnavailableLocale(ctx.site, await getUntrashedPageRow(tx, id), locale)
    if (!(await writeDraft(tx, key, actor.id, next))) throw staleDraft(await findDraft(tx, key, actor.id))
    return { revision: next.revision, savedAt: next.savedAt }
  })
}

/**
 * Discards the actor's own draft if it is still at `expected.revision`. Its row stays, without text and with the next revision,
 * so that a late request to save it is refused.
 * @param expected.revision omitted: any revision
 * @throws {Refusal} `not_found` without such a page, and without a draft if no revision is expected; `stale` with a
 * `StaleDraft`
 */
export async function discardDraft(
  ctx: Context,
  { id, locale }: PageParameters,
  expected: { revision?: number | undefined },
): Promise<void> {
  const actor = allow(ctx, canWritePages)
  const key = { pageId: id, locale }
  await ctx.transaction(async (tx) => {
    await getPageRow(tx, id)
    const draft = await findDraft(tx, key, actor.id)
    if (expected.revision === undefined && !draft.text) throw new Refusal('not_found')
    const revision = (expected.revision ?? draft.revision) + 1
    const discarded = { text: null, revision, baseVersion: draft.baseVersion, savedAt: ctx.now().toISOString() }
    if (!(await writeDraft(tx, key, actor.id, discarded))) throw staleDraft(await findDraft(tx, key, actor.id))
  })
}

const staleDraft = (current: DraftRow): Refusal => new Refusal('stale', { current: current satisfies StaleDraft })

const maxListedDrafts = 5

/** The actor's own drafts, which wait to be saved, for the dashboard, newest first; and the number of drafts of all users. */
export async function listWaitingDrafts(ctx: Context): Promise<NonNullable<Dashboard['news']['drafts']>> {
  const actor = allow(ctx, canWritePages)
  const mine = await listDraftsOf(ctx.db, actor.id, maxListedDrafts)
  return {
    mine: mine.map(({ title, pageTitle, ...draft }) => ({ ...draft, title: title.trim() || pageTitle })),
    mineCount: await countDraftsOf(ctx.db, actor.id),
    count: await countDrafts(ctx.db),
  }
}

/**
 * Records that the actor has a page open in a tab. The client repeats this; without it the presence expires.
 * @returns the other users who have the page open, and its saved version
 * @throws {Refusal} `not_found`
 */
export async function reportPresence(
  ctx: Context,
  { id, locale }: PageParameters,
  { editor: tabId }: { editor: string },
): Promise<Presence> {
  const actor = allow(ctx, canSeePages)
  const key = { pageId: id, locale }
  const now = ctx.now()
  const seenSince = new Date(now.getTime() - limits.presenceSeconds * 1_000)
  return ctx.transaction(async (tx) => {
    const { texts } = await getPageRow(tx, id)
    await deletePresenceBefore(tx, seenSince)
    await writePresence(tx, key, { userId: actor.id, tabId, at: now })
    const text = texts[locale]
    return {
      others: await listOtherUsers(tx, key, { userId: actor.id, seenSince }),
      version: text?.version ?? 0,
      savedAt: text?.savedAt ?? null,
      savedBy: text ? shownAuthor(text.savedBy, actor.locale) : null,
    }
  })
}

/** Ends the presence of one tab of the actor, or of all of them. @param options.editor the id of the tab; omitted: all */
export async function endPresence(
  ctx: Context,
  { id, locale }: PageParameters,
  { editor: tabId }: { editor?: string | undefined },
): Promise<void> {
  const actor = allow(ctx, canSeePages)
  await ctx.transaction((tx) => deletePresence(tx, { pageId: id, locale }, { userId: actor.id, tabId }))
}
