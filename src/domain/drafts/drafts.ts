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
import { getPageRow, openPageRow, refuseOtherLanguage } from '../pages/list-pages.ts'
import { canSeePages, canWritePages } from '../pages/page.policy.ts'
import { type DraftRow, findDraft, writeDraft } from '../pages/page-draft.queries.ts'
import {
  countDrafts,
  countDraftsOf,
  deletePresence,
  deletePresenceBefore,
  listDraftsOf,
  listOthers,
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
  const at = { pageId: id, locale }
  const { text, baseVersion } = input
  const next = { text, baseVersion, revision: input.revision + 1, savedAt: ctx.now().toISOString() }
  return ctx.transaction(async (tx) => {
    // The same lock order as saving a page: files and sections first, then the draft.
    if (publicFileIdsIn(JSON.stringify(text)).length + sectionIdsIn(text.body).length > 0) await lockFiles(tx, ctx)
    refuseOtherLanguage(ctx.site, await openPageRow(tx, id), locale)
    if (!(await writeDraft(tx, at, actor.id, next))) throw stale(await findDraft(tx, at, actor.id))
    return { revision: next.revision, savedAt: next.savedAt }
  })
}

/**
 * Deletes the actor's own draft if it is still at the known revision.
 * @param known.revision omitted: any revision
 * @throws {Refusal} `not_found`; `stale` with a `StaleDraft`
 */
export async function discardDraft(
  ctx: Context,
  { id, locale }: PageParameters,
  known: { revision?: number | undefined },
): Promise<void> {
  const actor = allow(ctx, canWritePages)
  const at = { pageId: id, locale }
  await ctx.transaction(async (tx) => {
    await getPageRow(tx, id)
    const draft = await findDraft(tx, at, actor.id)
    if (known.revision === undefined && !draft.text) throw new Refusal('not_found')
    const revision = (known.revision ?? draft.revision) + 1
    const ended = { text: null, revision, baseVersion: draft.baseVersion, savedAt: ctx.now().toISOString() }
    if (!(await writeDraft(tx, at, actor.id, ended))) throw stale(await findDraft(tx, at, actor.id))
  })
}

const stale = (current: DraftRow): Refusal => new Refusal('stale', { current: current satisfies StaleDraft })

const draftsShown = 5

/** The actor's own drafts for the dashboard, newest first, and the number of drafts of all users. */
export async function listWaitingDrafts(ctx: Context): Promise<NonNullable<Dashboard['news']['drafts']>> {
  const actor = allow(ctx, canWritePages)
  const mine = await listDraftsOf(ctx.db, actor.id, draftsShown)
  return {
    mine: mine.map(({ title, pageTitle, ...draft }) => ({ ...draft, title: title.trim() || pageTitle })),
    mineCount: await countDraftsOf(ctx.db, actor.id),
    count: await countDrafts(ctx.db),
  }
}

/**
 * Records that the actor has a page open in a tab.
 * @returns the other users who have it open, and the saved versions
 * @throws {Refusal} `not_found`
 */
export async function reportPresence(
  ctx: Context,
  { id, locale }: PageParameters,
  { editor: tabId }: { editor: string },
): Promise<Presence> {
  const actor = allow(ctx, canSeePages)
  const at = { pageId: id, locale }
  const now = ctx.now()
  const since = new Date(now.getTime() - limits.presenceSeconds * 1_000)
  return ctx.transaction(async (tx) => {
    const { texts } = await getPageRow(tx, id)
    await deletePresenceBefore(tx, since)
    await writePresence(tx, at, { userId: actor.id, tabId, at: now })
    const text = texts[locale]
    return {
      others: await listOthers(tx, at, { notUserId: actor.id, seenSince: since }),
      version: text?.version ?? 0,
      savedAt: text?.savedAt ?? null,
      savedBy: text ? shownAuthor(text.savedBy, actor.locale) : null,
    }
  })
}

/** Ends the presence of one tab, or of all tabs of the actor. */
export async function endPresence(
  ctx: Context,
  { id, locale }: PageParameters,
  { editor: tabId }: { editor?: string | undefined },
): Promise<void> {
  const actor = allow(ctx, canSeePages)
  await ctx.transaction((tx) => deletePresence(tx, { pageId: id, locale }, { userId: actor.id, tabId }))
}
