import type { Dashboard } from '../../contract/dashboard.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageInLocale, PageParameters, PublishedPage, ReturnedReview, ReviewOffer } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { type Author, shownAuthor } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { canPublishPages, canSeePages, canWithdrawReview, canWritePages } from './page.policy.ts'
import { openText, stale } from './publish-page.ts'
import { refuseLocked } from './refuse-locked.ts'
import {
  deleteEarlierOffers,
  endReview,
  findAuthorByEmail,
  findReview,
  insertEarlierOffer,
  type ListedReview,
  listContinuedReviews,
  listEarlierOffers,
  listReturnedReviews,
  listReviewersByEmail,
  listWaitingReviews,
  type ReviewRow,
  restoreEarlierOffer,
  upsertReview,
} from './review.queries.ts'
import { queueReviewEmail, type ReviewEmail } from './review-email.ts'
import type { RevisionRow } from './revision.queries.ts'
import { shownInLocale } from './show-page.ts'

/**
 * Offers the saved text for review. Later saves are not part of the offer; offering again replaces one's own offer, and
 * emails only about another text. The waiting offer of another writer is only continued, and its author gets an email.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`, `too_many`; `nothing_to_review` when that text is live;
 * `review_waits` with the current page when `continues` does not name the waiting offer of another writer;
 * `review_ended` when it names an offer that does not wait
 */
export async function submitForReview(ctx: Context, at: PageParameters, offer: ReviewOffer): Promise<PageInLocale> {
  const { version, note, continues } = offer
  const actor = allow(ctx, canWritePages)
  return reviewed(ctx, at, async (edit) => {
    const { text, saved } = await openText(edit, at.locale)
    if (version !== text.version) throw await stale(edit, at.locale, actor)
    if (text.liveRevisionId === saved.id) throw new Refusal('nothing_to_review')
    await refuseTooMany(edit.tx, ctx, 'page.offered', [
      { by: { actorId: actor.id }, maxCount: limits.reviewOffersPerAuthor, windowMs: limits.reviewOfferWindowMs },
    ])
    const before = await findReview(edit.tx, keyOf(at))
    const waiting = before?.state === 'waiting' ? before : undefined
    const waitsAlready = waiting?.revisionId === saved.id
    const ofAnother = waiting && waiting.offeredBy.id !== actor.id ? waiting : undefined
    if (continues?.number !== ofAnother?.number) {
      const code = ofAnother ? 'review_waits' : 'review_ended'
      throw new Refusal(code, { current: await shownInLocale(edit, edit.page, at.locale, actor, saved) })
    }
    const takenOver = continues?.as === 'takeover'
    const authors = ofAnother ? await authorsOf(edit, at, ofAnother) : []
    if (ofAnother) await insertEarlierOffer(edit.tx, keyOf(at), { earlier: ofAnother, takenOver, by: edit.by })
    if (!waiting) await deleteEarlierOffers(edit.tx, keyOf(at))
    await upsertReview(edit.tx, keyOf(at), { revisionId: saved.id, note, at: edit.now, by: edit.by })
    const continued = ofAnother && { [takenOver ? 'takenOver' : 'continued']: true }
    edit.record({ action: 'page.offered', after: { language: at.locale, revision: saved.id, note, ...continued } })
    const kind = takenOver ? 'takenOver' : 'added'
    await emailAuthors(edit, ctx, { authors, at, kind, title: saved.text.title, note })
    for (const to of waitsAlready ? [] : await listReviewersByEmail(edit.tx)) {
      if (to.id !== actor.id) await email(edit, ctx, { to, at, kind: 'offered', title: saved.text.title, note })
    }
    return shownInLocale(edit, edit.page, at.locale, actor, saved)
  })
}

/**
 * Withdraws an offer; the one of another writer that it continued waits again. Others cannot: a reviewer sends it back, so
 * that its author gets an email.
 * @throws {Refusal} `not_found`, `page_in_bin`, `review_ended`; `not_allowed` for the offer of another user
 */
export async function withdrawReview(
  ctx: Context,
  at: PageParameters,
  { number }: { number: number },
): Promise<PageInLocale> {
  const actor = allow(ctx, canWritePages)
  return reviewed(ctx, at, async (edit) => {
    const { review } = await openReview(edit, at.locale, number, actor)
    if (!canWithdrawReview(actor, review)) throw new Refusal('not_allowed')
    await endReview(edit.tx, keyOf(at), { state: 'withdrawn', at: edit.now, by: edit.by })
    const earlier = (await listEarlierOffers(edit.tx, keyOf(at))).at(-1)
    if (earlier) await restoreEarlierOffer(edit.tx, keyOf(at), { offer: earlier, withdrawnBy: edit.by })
    edit.record({ action: 'page.withdrawn', after: { language: at.locale } })
    return shownInLocale(edit, edit.page, at.locale, actor)
  })
}

/**
 * Publishes the submitted text, even if another one was saved since: the reviewed text goes live. The schedule to
 * publish is cleared, even if it was for another text.
 * @throws {Refusal} `not_found`, `page_in_bin`, `review_ended`; `invalid` at `text.slug`, or where a lock keeps the text
 * from the actor
 */
export async function publishReviewed(
  ctx: Context,
  at: PageParameters,
  { number }: { number: number },
): Promise<PublishedPage> {
  const actor = allow(ctx, canPublishPages)
  return reviewed(ctx, at, async (edit) => {
    const { revision } = await openReview(edit, at.locale, number, actor)
    await refuseLocked(edit, actor, { locale: at.locale, text: revision.text })
    const droppedSchedule = edit.page.texts[at.locale]?.publishAt ?? null
    await edit.publish(at.locale, revision)
    edit.record({
      action: 'page.published',
      before: { publishAt: droppedSchedule },
      after: { language: at.locale, path: pathOf(revision.text.slug, at.locale, edit.site), publishAt: null },
    })
    return { ...(await shownInLocale(edit, edit.page, at.locale, actor)), droppedPlan: droppedSchedule }
  })
}

/** Sends an offered text back to its authors, with a note. @throws {Refusal} `not_found`, `page_in_bin`, `review_ended` */
export async function returnReview(
  ctx: Context,
  at: PageParameters,
  { number, note }: ReturnedReview,
): Promise<PageInLocale> {
  const actor = allow(ctx, canPublishPages)
  return reviewed(ctx, at, async (edit) => {
    const { review, revision } = await openReview(edit, at.locale, number, actor)
    await endReview(edit.tx, keyOf(at), { state: 'returned', answer: note, at: edit.now, by: edit.by })
    edit.record({ action: 'page.returned', after: { language: at.locale, revision: revision.id, note } })
    const authors = await authorsOf(edit, at, review)
    await emailAuthors(edit, ctx, { authors, at, kind: 'returned', title: revision.text.title, note })
    return shownInLocale(edit, edit.page, at.locale, actor)
  })
}

async function reviewed<Page>(
  ctx: Context,
  { id }: PageParameters,
  change: (edit: PageEdit) => Promise<Page>,
): Promise<Page> {
  const page = await editPageInTransaction(ctx, id, change)
  ctx.wake.email()
  return page
}

const keyOf = ({ id, locale }: PageParameters) => ({ pageId: id, locale })

/**
 * The open review request, with its revision.
 * @throws {Refusal} `review_ended` with the current page, if it was already handled or replaced
 */
async function openReview(
  edit: PageEdit,
  locale: Locale,
  number: number,
  actor: Actor,
): Promise<{ review: ReviewRow; revision: RevisionRow }> {
  const review = await findReview(edit.tx, { pageId: edit.page.id, locale })
  const revision = await edit.revision(locale, review?.revisionId)
  if (review && revision && review.state === 'waiting' && review.number === number) return { review, revision }
  throw new Refusal('review_ended', { current: await shownInLocale(edit, edit.page, locale, actor) })
}

/** The authors of a waiting offer: who offered it last, and those to whose offers it adds. */
async function authorsOf(edit: PageEdit, at: PageParameters, review: ReviewRow): Promise<Author[]> {
  const earlier = await listEarlierOffers(edit.tx, keyOf(at))
  return [review, ...earlier.filter(({ takenOver }) => !takenOver)].map(({ offeredBy }) => offeredBy)
}

/** Emails each of the authors who chose so, besides the one who acts. */
async function emailAuthors(
  edit: PageEdit,
  ctx: Context,
  { authors, ...about }: { authors: Author[] } & Omit<Parameters<typeof email>[2], 'to'>,
): Promise<void> {
  for (const { id } of authors) {
    const to = id === null || id === edit.by.id ? undefined : await findAuthorByEmail(edit.tx, id)
    if (to) await email(edit, ctx, { ...about, to })
  }
}

async function email(
  { tx, by }: PageEdit,
  ctx: Context,
  about: {
    to: Parameters<typeof queueReviewEmail>[2]
    at: PageParameters
    kind: ReviewEmail['kind']
    title: string
    note: string
  },
): Promise<void> {
  const { to, at, kind, title, note } = about
  const url = `${ctx.origin}/admin/pages/${at.id}/${at.locale}`
  await queueReviewEmail(tx, ctx, to, { kind, page: { title, locale: at.locale }, by: by.name, note, url })
}

const reviewsShown = 5

/**
 * The texts that wait for the actor: to review, with the right to publish, own texts that were sent back, and those that
 * another writer offered again.
 */
export async function listReviews(ctx: Context): Promise<NonNullable<Dashboard['news']['reviews']>> {
  const actor = allow(ctx, canSeePages)
  const shown = ({ by, ...review }: ListedReview) => ({ ...review, by: shownAuthor(by, actor.locale) })
  const { waiting, count } = canPublishPages(actor)
    ? await listWaitingReviews(ctx.db, actor.id, reviewsShown)
    : { waiting: [], count: 0 }
  const returned = await listReturnedReviews(ctx.db, actor.id, reviewsShown)
  const continued = await listContinuedReviews(ctx.db, actor.id, reviewsShown)
  return {
    waiting: waiting.map(shown),
    count,
    returned: returned.map(shown),
    continued: continued.map((review) => ({ ...shown(review), takenOver: review.takenOver })),
  }
}
