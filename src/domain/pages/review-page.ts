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
import { getSavedText, staleRefusal } from './publish-page.ts'
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
  type ReviewRecipient,
  type ReviewRow,
  restoreEarlierOffer,
  upsertReview,
} from './review.queries.ts'
import { queueReviewEmail, type ReviewEmail } from './review-email.ts'
import type { RevisionRow } from './revision.queries.ts'
import { loadPageInLocale } from './show-page.ts'

/**
 * Offers the saved text for review, in place of an earlier offer by the actor. Reviewers get an email, unless this text
 * waits already. A waiting offer of another writer must be named in `continues`; its authors get an email.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`, `too_many`; `nothing_to_review` when that text is live;
 * `review_waits` with the current page when `continues` does not name the waiting offer of another writer;
 * `review_ended` with the current page when `continues` is given and no offer of another writer waits
 */
export async function submitForReview(ctx: Context, params: PageParameters, offer: ReviewOffer): Promise<PageInLocale> {
  const { version, note, continues } = offer
  const actor = allow(ctx, canWritePages)
  const key = keyOf(params)
  return editReview(ctx, params, async (edit) => {
    const { text, saved } = await getSavedText(edit, params.locale)
    if (version !== text.version) throw await staleRefusal(edit, params.locale, actor)
    if (text.liveRevisionId === saved.id) throw new Refusal('nothing_to_review')
    await refuseTooMany(edit.tx, ctx, 'page.offered', [
      { by: { actorId: actor.id }, maxCount: limits.reviewOffersPerAuthor, windowMs: limits.reviewOfferWindowMs },
    ])
    const review = await findReview(edit.tx, key)
    const waiting = review?.state === 'waiting' ? review : undefined
    const waitsAlready = waiting?.revisionId === saved.id
    const waitingByAnother = waiting && waiting.offeredBy.id !== actor.id ? waiting : undefined
    if (continues?.number !== waitingByAnother?.number) {
      const code = waitingByAnother ? 'review_waits' : 'review_ended'
      throw new Refusal(code, { current: await loadPageInLocale(edit, edit.page, params.locale, actor, saved) })
    }
    const takenOver = continues?.as === 'takeover'
    const authors = waitingByAnother ? await listOfferAuthors(edit, params, waitingByAnother) : []
    if (waitingByAnother) await insertEarlierOffer(edit.tx, key, { earlier: waitingByAnother, takenOver, by: edit.by })
    if (!waiting) await deleteEarlierOffers(edit.tx, key)
    await upsertReview(edit.tx, key, { revisionId: saved.id, note, at: edit.now, by: edit.by })
    const continued = waitingByAnother && { [takenOver ? 'takenOver' : 'continued']: true }
    edit.record({ action: 'page.offered', after: { language: params.locale, revision: saved.id, note, ...continued } })
    const content = { params, title: saved.text.title, note }
    await emailAuthors(edit, ctx, authors, { ...content, kind: takenOver ? 'takenOver' : 'added' })
    for (const reviewer of waitsAlready ? [] : await listReviewersByEmail(edit.tx)) {
      if (reviewer.id !== actor.id) await emailReview(edit, ctx, reviewer, { ...content, kind: 'offered' })
    }
    return loadPageInLocale(edit, edit.page, params.locale, actor, saved)
  })
}

/**
 * Withdraws the actor's offer; the offer of another writer that it continued waits again. A reviewer returns an offer
 * instead, so that its author gets an email.
 * @throws {Refusal} `not_found`, `page_in_bin`, `review_ended`; `not_allowed` for the offer of another user
 */
export async function withdrawReview(
  ctx: Context,
  params: PageParameters,
  { number }: { number: number },
): Promise<PageInLocale> {
  const actor = allow(ctx, canWritePages)
  const key = keyOf(params)
  return editReview(ctx, params, async (edit) => {
    const { review } = await getWaitingReview(edit, params.locale, number, actor)
    if (!canWithdrawReview(actor, review)) throw new Refusal('not_allowed')
    await endReview(edit.tx, key, { state: 'withdrawn', at: edit.now, by: edit.by })
    const latestEarlier = (await listEarlierOffers(edit.tx, key)).at(-1)
    if (latestEarlier) await restoreEarlierOffer(edit.tx, key, { offer: latestEarlier, withdrawnBy: edit.by })
    edit.record({ action: 'page.withdrawn', after: { language: params.locale } })
    return loadPageInLocale(edit, edit.page, params.locale, actor)
  })
}

/**
 * Publishes the offered text, even if another one was saved since, and clears the schedule to publish, even of another.
 * @throws {Refusal} `not_found`, `page_in_bin`, `review_ended`; `invalid` at `text.slug`, or where a lock forbids it
 */
export async function publishReviewed(
  ctx: Context,
  params: PageParameters,
  { number }: { number: number },
): Promise<PublishedPage> {
  const actor = allow(ctx, canPublishPages)
  return editReview(ctx, params, async (edit) => {
    const { revision } = await getWaitingReview(edit, params.locale, number, actor)
    await refuseLocked(edit, actor, { locale: params.locale, text: revision.text })
    const droppedSchedule = edit.page.texts[params.locale]?.publishAt ?? null
    await edit.publish(params.locale, revision)
    edit.record({
      action: 'page.published',
      before: { publishAt: droppedSchedule },
      after: { language: params.locale, path: pathOf(revision.text.slug, params.locale, edit.site), publishAt: null },
    })
    return { ...(await loadPageInLocale(edit, edit.page, params.locale, actor)), droppedPlan: droppedSchedule }
  })
}

/** Returns an offered text to its authors with a note. @throws {Refusal} `not_found`, `page_in_bin`, `review_ended` */
export async function returnReview(
  ctx: Context,
  params: PageParameters,
  { number, note }: ReturnedReview,
): Promise<PageInLocale> {
  const actor = allow(ctx, canPublishPages)
  return editReview(ctx, params, async (edit) => {
    const { review, revision } = await getWaitingReview(edit, params.locale, number, actor)
    await endReview(edit.tx, keyOf(params), { state: 'returned', answer: note, at: edit.now, by: edit.by })
    edit.record({ action: 'page.returned', after: { language: params.locale, revision: revision.id, note } })
    const authors = await listOfferAuthors(edit, params, review)
    await emailAuthors(edit, ctx, authors, { params, kind: 'returned', title: revision.text.title, note })
    return loadPageInLocale(edit, edit.page, params.locale, actor)
  })
}

async function editReview<Page>(
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
 * The waiting offer with this number, and its revision.
 * @throws {Refusal} `review_ended` with the current page, when that offer has ended or was replaced
 */
async function getWaitingReview(
  edit: PageEdit,
  locale: Locale,
  number: number,
  actor: Actor,
): Promise<{ review: ReviewRow; revision: RevisionRow }> {
  const review = await findReview(edit.tx, { pageId: edit.page.id, locale })
  const revision = await edit.revision(locale, review?.revisionId)
  if (review && revision && review.state === 'waiting' && review.number === number) return { review, revision }
  throw new Refusal('review_ended', { current: await loadPageInLocale(edit, edit.page, locale, actor) })
}

/** The authors of a waiting offer and of the earlier offers that it continues, without those that were taken over. */
async function listOfferAuthors(edit: PageEdit, params: PageParameters, review: ReviewRow): Promise<Author[]> {
  const earlier = await listEarlierOffers(edit.tx, keyOf(params))
  return [review, ...earlier.filter(({ takenOver }) => !takenOver)].map(({ offeredBy }) => offeredBy)
}

type ReviewEmailContent = { params: PageParameters; kind: ReviewEmail['kind']; title: string; note: string }

/** Queues an email to each of the authors who wants emails about reviews, except the actor. */
async function emailAuthors(
  edit: PageEdit,
  ctx: Context,
  authors: Author[],
  content: ReviewEmailContent,
): Promise<void> {
  for (const { id } of authors) {
    const recipient = id === null || id === edit.by.id ? undefined : await findAuthorByEmail(edit.tx, id)
    if (recipient) await emailReview(edit, ctx, recipient, content)
  }
}

async function emailReview(
  { tx, by }: PageEdit,
  ctx: Context,
  recipient: ReviewRecipient,
  { params, kind, title, note }: ReviewEmailContent,
): Promise<void> {
  const url = `${ctx.origin}/admin/pages/${params.id}/${params.locale}`
  await queueReviewEmail(tx, ctx, recipient, { kind, page: { title, locale: params.locale }, by: by.name, note, url })
}

const maxListedReviews = 5

/**
 * The reviews on the actor's dashboard: waiting offers, for an actor who may publish; returned texts of the actor; and
 * the actor's offers that another writer's offer continues.
 */
export async function listReviews(ctx: Context): Promise<NonNullable<Dashboard['news']['reviews']>> {
  const actor = allow(ctx, canSeePages)
  const withAuthor = ({ by, ...review }: ListedReview) => ({ ...review, by: shownAuthor(by, actor.locale) })
  const { waiting, count } = canPublishPages(actor)
    ? await listWaitingReviews(ctx.db, actor.id, maxListedReviews)
    : { waiting: [], count: 0 }
  const returned = await listReturnedReviews(ctx.db, actor.id, maxListedReviews)
  const continued = await listContinuedReviews(ctx.db, actor.id, maxListedReviews)
  return {
    waiting: waiting.map(withAuthor),
    count,
    returned: returned.map(withAuthor),
    continued: continued.map((review) => ({ ...withAuthor(review), takenOver: review.takenOver })),
  }
}
