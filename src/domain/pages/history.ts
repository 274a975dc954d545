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
import { getSave, listHistory, readEarlierBlocks } from '../revisions/revisions.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { entrySlugProblem, isAddressTaken } from './entries.ts'
import { getPageRow } from './list-pages.ts'
import { canPublishPages, canSeePages, canWritePages, mustStayPublished } from './page.policy.ts'
import { livePath, type TextRow } from './page.queries.ts'
import { openText, stale } from './publish-page.ts'
import { refuseLocked, refuseWhenLocked } from './refuse-locked.ts'
import { findReview, reopenReview } from './review.queries.ts'
import { findPageRevision, type RevisionRow } from './revision.queries.ts'
import { asDraft, shownInLocale } from './show-page.ts'

/**
 * The history of a page, newest first. Saves by one user at short intervals form a group; `query.line` lists the saves
 * of one group.
 * @throws {Refusal} `not_found`
 */
export async function listRevisions(
  ctx: Context,
  { id, locale }: PageParameters,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  return listHistory(ctx.db, historyOf(id, locale), query, { actor, ...revisionsNow(texts[locale]) })
}

/** @throws {Refusal} `not_found` */
export async function getRevision(ctx: Context, { id, locale }: PageParameters, revisionId: number): Promise<Revision> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  const row = await findPageRevision(ctx.db, { pageId: id, locale }, revisionId)
  if (!row) throw new Refusal('not_found')
  const save = await getSave(ctx.db, historyOf(id, locale), revisionId, { actor, ...revisionsNow(texts[locale]) })
  return { ...save, at: row.at, text: asDraft(row.text) }
}

const historyOf = (id: number, locale: Locale): HistoryKey => ({ of: 'page', id, locale })

const revisionsNow = (text: TextRow | undefined) => ({ saved: text?.savedRevisionId, live: text?.liveRevisionId })

/**
 * Saves an earlier text as a new version; it is not published. If its address is taken by now, the current slug stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when one of its blocks is no longer valid
 */
export async function restorePageRevision(
  ctx: Context,
  { id, locale }: PageParameters,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<RestoredText> {
  const actor = allow(ctx, canWritePages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text, saved: before } = await openText(edit, locale)
    if (version !== text.version) throw await stale(edit, locale, actor)
    const saved = await restoreText(edit, locale, revisionId)
    const undo = saved.id === before.id ? null : { version: saved.version, revision: before.id }
    return { ...(await shownInLocale(edit, edit.page, locale, actor, saved)), undo }
  })
}

/**
 * Saves a revision as a new one, unless its text equals the saved one.
 * @returns the saved revision
 * @throws {Refusal} `not_found`, `invalid`
 */
async function restoreText(edit: PageEdit, locale: Locale, revisionId: number): Promise<RevisionRow> {
  const { saved } = await openText(edit, locale)
  const wanted = await edit.revision(locale, revisionId)
  if (!wanted) throw new Refusal('not_found')
  const { page } = edit
  const { slug } = wanted.text
  const keepsSlug =
    page.fixed ||
    entrySlugProblem(edit.site, page, slug, locale) !== undefined ||
    (await isAddressTaken(edit, slug, locale))
  const body = readEarlierBlocks(wanted.text.body, ['text', 'body'])
  const text = { ...wanted.text, body, ...(keepsSlug && { slug: saved.text.slug }) }
  if (deepEqual(text, saved.text)) return saved
  const restored = await edit.save(locale, text, { restoredFrom: wanted.id })
  edit.record({ action: 'page.restored', ...auditedChange(locale, saved, restored) })
  return restored
}

/**
 * Undoes a save completely or not at all: the previous text is saved again. If the save was published too, the previous
 * live text is published again, and a schedule that it dropped is restored. An offer that the publication ended waits
 * for review again.
 * @throws {Refusal} `stale` when somebody saved, published, scheduled or unpublished since; `not_found`, `page_in_bin`,
 * `fixed_page`; `not_allowed` for live text, without the right to publish; `page_locked` when it would unpublish the
 * page and a lock binds the actor; `invalid` when another page has the slug, or a lock keeps the previous text from the
 * actor
 */
export async function undoSave(
  ctx: Context,
  { id, locale }: PageParameters,
  { version, revision, visitors }: UndoState,
): Promise<PageInLocale> {
  const actor = allow(ctx, canWritePages)
  if (visitors) allow(ctx, canPublishPages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text } = await openText(edit, locale)
    // Publishing made the saved text live and cleared its schedule.
    const changedSince = visitors && (text.liveRevisionId !== text.savedRevisionId || text.publishAt !== null)
    if (version !== text.version || changedSince) throw await stale(edit, locale, actor)
    const saved = await restoreText(edit, locale, revision)
    if (visitors) await undoPublish(edit, locale, { was: { id: revision, now: saved }, visitors }, actor)
    return shownInLocale(edit, edit.page, locale, actor, saved)
  })
}

interface Before {
  /** The previous revision, and the one in which it is saved again. */
  was: { id: number; now: RevisionRow }
  visitors: NonNullable<UndoState['visitors']>
}

/** Publishes the previous live text and restores the previous schedule. */
async function undoPublish(edit: PageEdit, locale: Locale, { was, visitors }: Before, actor: Actor): Promise<void> {
  const { tx, page, now } = edit
  const { live, planned: schedule } = visitors
  const { text } = await openText(edit, locale)
  const path = livePath(text, edit.site)
  const get = async (id: number) => {
    const found = id === was.id ? was.now : await edit.revision(locale, id)
    if (!found) throw new Refusal('not_found')
    await refuseLocked(edit, actor, { locale, text: found.text })
    return found
  }
  if (!live) await refuseWhenLocked(edit, actor)
  if (!live && mustStayPublished(page, locale, edit.site)) throw new Refusal('fixed_page')
  const shown = live && (await get(live.revision))
  const offered = await findEndedOffer(edit, text)
  const { unpublishAt } = text
  if (shown) await edit.publish(locale, shown, live.date)
  else edit.unpublish(locale)
  // Afterwards, because publishing ends offers.
  if (offered) await reopenReview(tx, { pageId: page.id, locale })

  const scheduled = schedule && { at: new Date(schedule.at), revision: await get(schedule.revision) }
  const slug = scheduled?.revision.text.slug ?? ''
  const isTaken = scheduled && (await isAddressTaken(edit, slug, locale))
  const counts = scheduled && !isTaken && scheduled.at > now
  const publishAt = counts ? scheduled.at.toISOString() : null
  edit.schedule(locale, {
    publish: counts ? { at: scheduled.at.toISOString(), revision: scheduled.revision } : null,
    unpublishAt,
  })
  edit.record(
    shown
      ? {
          action: 'page.published',
          before: { publishAt: null },
          after: { language: locale, path: pathOf(shown.text.slug, locale, edit.site), publishAt },
        }
      : {
          action: 'page.unpublished',
          before: { language: locale, path, publishAt: null },
          after: { publishAt },
        },
  )
}

/** The review request that the last publication ended, if it was still waiting then. */
async function findEndedOffer(edit: PageEdit, { locale, publishedAt }: TextRow): Promise<RevisionRow | undefined> {
  const review = await findReview(edit.tx, { pageId: edit.page.id, locale })
  const waited = review?.state === 'published' && review.answer === null && review.endedAt === publishedAt
  return waited ? edit.revision(locale, review.revisionId) : undefined
}
