import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import type {
  PageInLocale,
  PageParameters,
  RestoredText,
  Revision,
  RevisionGroup,
  RevisionQuery,
  UndoState,
} from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import type { HistoryKey } from '../revisions/revision.queries.ts'
import { getRevisionAsGroup, listHistory, parseStoredBlocks } from '../revisions/revisions.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { entrySlugProblem, isAddressTaken } from './entries.ts'
import { getPageRow } from './list-pages.ts'
import { canPublishPages, canSeePages, canWritePages, mustStayPublished } from './page.policy.ts'
import { livePath, type TextRow } from './page.queries.ts'
import { getSavedText, staleRefusal } from './publish-page.ts'
import { refuseLocked, refuseWhenLocked } from './refuse-locked.ts'
import { findReview, reopenReview } from './review.queries.ts'
import { findPageRevision, type RevisionRow } from './revision.queries.ts'
import { asDraft, loadPageInLocale } from './show-page.ts'

/**
 * The history of a page in one language, newest first. Saves by one user at short intervals form a group; with
 * `query.line`, the id of a revision, the revisions of its group are listed separately.
 * @throws {Refusal} `not_found`
 */
export async function listRevisions(
  ctx: Context,
  { id, locale }: PageParameters,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  return listHistory(ctx.db, historyKey(id, locale), query, { actor, ...currentIds(texts[locale]) })
}

/** A revision with its text. @throws {Refusal} `not_found` */
export async function getRevision(ctx: Context, { id, locale }: PageParameters, revisionId: number): Promise<Revision> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  const row = await findPageRevision(ctx.db, { pageId: id, locale }, revisionId)
  if (!row) throw new Refusal('not_found')
  const viewer = { actor, ...currentIds(texts[locale]) }
  const group = await getRevisionAsGroup(ctx.db, historyKey(id, locale), revisionId, viewer)
  return { ...group, at: row.at, text: asDraft(row.text) }
}

const historyKey = (id: number, locale: Locale): HistoryKey => ({ of: 'page', id, locale })

const currentIds = (text: TextRow | undefined) => ({ savedId: text?.savedRevisionId, liveId: text?.liveRevisionId })

/**
 * Saves an earlier text as a new version; it is not published. If its slug is no longer allowed, the current one stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when one of its blocks is no longer valid
 */
export async function restorePageRevision(
  ctx: Context,
  { id, locale }: PageParameters,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<RestoredText> {
  const actor = allow(ctx, canWritePages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text, saved: previous } = await getSavedText(edit, locale)
    if (version !== text.version) throw await staleRefusal(edit, locale, actor)
    const saved = await restoreText(edit, locale, revisionId)
    const undo = saved.id === previous.id ? null : { version: saved.version, revision: previous.id }
    return { ...(await loadPageInLocale(edit, edit.page, locale, actor, saved)), undo }
  })
}

/**
 * Saves a revision as a new one, unless its text equals the saved one.
 * @returns the saved revision
 * @throws {Refusal} `not_found`, `invalid`
 */
async function restoreText(edit: PageEdit, locale: Locale, revisionId: number): Promise<RevisionRow> {
  const { saved } = await getSavedText(edit, locale)
  const earlier = await edit.revision(locale, revisionId)
  if (!earlier) throw new Refusal('not_found')
  const { page } = edit
  const { slug } = earlier.text
  const keepsSlug =
    page.fixed ||
    entrySlugProblem(edit.site, page, slug, locale) !== undefined ||
    (await isAddressTaken(edit, slug, locale))
  const body = parseStoredBlocks(earlier.text.body, ['text', 'body'])
  const text = { ...earlier.text, body, ...(keepsSlug && { slug: saved.text.slug }) }
  if (deepEqual(text, saved.text)) return saved
  const restored = await edit.save(locale, text, { restoredFrom: earlier.id })
  edit.record({ action: 'page.restored', ...auditedChange(locale, saved, restored) })
  return restored
}

/**
 * Undoes a save completely or not at all: the previous text is saved again. If the save was published too, the previous
 * live text is published again, and a schedule that was dropped is restored. A review that it ended waits again.
 * @param state `undo` of the response to the save; `visitors`: what was live and scheduled, if the save was published
 * @throws {Refusal} `stale` when somebody saved, published, scheduled or unpublished since; `not_found`, `page_in_bin`,
 * `fixed_page`; `not_allowed` for live text, without the right to publish; `page_locked` when it would unpublish the
 * page and a lock binds the actor; `invalid` when another page has the slug, or a lock keeps the previous text from the
 * actor
 */
export async function undoSave(ctx: Context, { id, locale }: PageParameters, state: UndoState): Promise<PageInLocale> {
  const { version, revision, visitors } = state
  const actor = allow(ctx, canWritePages)
  if (visitors) allow(ctx, canPublishPages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text } = await getSavedText(edit, locale)
    // The publication made the saved text live and cleared the schedule to publish.
    const changedSince = visitors && (text.liveRevisionId !== text.savedRevisionId || text.publishAt !== null)
    if (version !== text.version || changedSince) throw await staleRefusal(edit, locale, actor)
    const saved = await restoreText(edit, locale, revision)
    if (visitors) await undoPublish(edit, locale, { previousId: revision, restored: saved, visitors }, actor)
    return loadPageInLocale(edit, edit.page, locale, actor, saved)
  })
}

interface UndonePublication {
  /** The revision that was saved before, and the new one with the same text. */
  previousId: number
  restored: RevisionRow
  /** What was live and scheduled before. */
  visitors: NonNullable<UndoState['visitors']>
}

/** Publishes the previous live text, or unpublishes the page, and restores the previous schedule. */
async function undoPublish(edit: PageEdit, locale: Locale, undone: UndonePublication, actor: Actor): Promise<void> {
  const { tx, page, now } = edit
  const { live, planned: schedule } = undone.visitors
  const { text } = await getSavedText(edit, locale)
  const path = livePath(text, edit.site)
  const getUnlockedRevision = async (id: number) => {
    const revision = id === undone.previousId ? undone.restored : await edit.revision(locale, id)
    if (!revision) throw new Refusal('not_found')
    await refuseLocked(edit, actor, { locale, text: revision.text })
    return revision
  }
  if (!live) await refuseWhenLocked(edit, actor)
  if (!live && mustStayPublished(page, locale, edit.site)) throw new Refusal('fixed_page')
  const previousLive = live && (await getUnlockedRevision(live.revision))
  const endedReview = await findEndedReview(edit, text)
  // Read first, because unpublishing clears it.
  const { unpublishAt } = text
  if (previousLive) await edit.publish(locale, previousLive, live.date)
  else edit.unpublish(locale)
  // Afterwards, because publishing ends reviews.
  if (endedReview) await reopenReview(tx, { pageId: page.id, locale })

  const scheduled = schedule && { at: new Date(schedule.at), revision: await getUnlockedRevision(schedule.revision) }
  const slug = scheduled?.revision.text.slug ?? ''
  const isTaken = scheduled && (await isAddressTaken(edit, slug, locale))
  const isRestorable = scheduled && !isTaken && scheduled.at > now
  const publish = isRestorable ? { at: scheduled.at.toISOString(), revision: scheduled.revision } : null
  const publishAt = publish?.at ?? null
  edit.schedule(locale, { publish, unpublishAt })
  edit.record(
    previousLive
      ? {
          action: 'page.published',
          before: { publishAt: null },
          after: { language: locale, path: pathOf(previousLive.text.slug, locale, edit.site), publishAt },
        }
      : {
          action: 'page.unpublished',
          before: { language: locale, path, publishAt: null },
          after: { publishAt },
        },
  )
}

/** The offered revision whose review the last publication ended, if it was waiting then. */
async function findEndedReview(edit: PageEdit, { locale, publishedAt }: TextRow): Promise<RevisionRow | undefined> {
  const review = await findReview(edit.tx, { pageId: edit.page.id, locale })
  // A returned text has an answer; publishing sets both times to the same moment.
  const wasWaiting = review?.state === 'published' && review.answer === null && review.endedAt === publishedAt
  return wasWaiting ? edit.revision(locale, review.revisionId) : undefined
}
