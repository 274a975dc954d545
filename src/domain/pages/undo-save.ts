import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageInLocale, UndoState } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { restoreText } from './history.ts'
import { canPublishPages, canWritePages, staysPublished } from './page.policy.ts'
import { isSlugTaken, livePath, type TextRow } from './page.queries.ts'
import { openText, stale } from './publish-page.ts'
import { refuseLocked, refuseWhenLocked } from './refuse-locked.ts'
import { findReview, reopenReview } from './review.queries.ts'
import type { RevisionRow } from './revision.queries.ts'
import { shownInLocale } from './show-page.ts'

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
  { id, locale }: { id: number; locale: Locale },
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
  const { live, planned } = visitors
  const { text } = await openText(edit, locale)
  const path = livePath(text, edit.site)
  const get = async (id: number) => {
    const found = id === was.id ? was.now : await edit.revision(locale, id)
    if (!found) throw new Refusal('not_found')
    await refuseLocked(edit, actor, { locale, text: found.text })
    return found
  }
  if (!live) await refuseWhenLocked(edit, actor)
  if (!live && staysPublished(page, locale, edit.site)) throw new Refusal('fixed_page')
  const shown = live && (await get(live.revision))
  const offered = await findEndedOffer(edit, text)
  const { unpublishAt } = text
  if (shown) await edit.publish(locale, shown, live.date)
  else edit.unpublish(locale)
  // Afterwards, because publishing ends offers.
  if (offered) await reopenReview(tx, { pageId: page.id, locale })

  const scheduled = planned && { at: new Date(planned.at), revision: await get(planned.revision) }
  const slug = scheduled?.revision.text.slug ?? ''
  const isTaken = scheduled && (await isSlugTaken(tx, { locale, slug, pageId: page.id }))
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
