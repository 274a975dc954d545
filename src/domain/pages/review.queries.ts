import type { PageText } from '../../contract/pages.ts'
import type { Right } from '../../contract/rights.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { countResults } from '../../platform/db/query-results.ts'
import type { PageReviewTable } from '../../platform/db/tables/pages.ts'
import type { Author } from '../audit/record.ts'
import { selectUserRights } from '../sign-in/user-rights.queries.ts'
import type { PageLocaleKey } from './page.queries.ts'
import { writeUsages } from './page-write.queries.ts'

/** The latest offer of a text for review, and how the review ended. Offers of a text are numbered. */
export interface ReviewRow {
  number: number
  state: PageReviewTable['state']
  revisionId: number
  note: string
  offeredAt: string
  offeredBy: Author
  /** The note with which the reviewer returned the text. */
  answer: string | null
  endedAt: string | null
  endedBy: Author | null
}

export async function findReview(db: Db, { pageId, locale }: PageLocaleKey): Promise<ReviewRow | undefined> {
  const row = await db
    .selectFrom('page_review')
    .select(['offer_number as number', 'state', 'revision_id as revisionId', 'note', 'offered_at as offeredAt'])
    .select(['offered_by_id', 'offered_by_name', 'reviewer_note as answer'])
    .select(['ended_at as endedAt', 'ended_by_id', 'ended_by_name'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  if (!row) return undefined
  const { offered_by_id, offered_by_name, ended_by_id, ended_by_name, ...review } = row
  return {
    ...review,
    offeredBy: { id: offered_by_id, name: offered_by_name },
    endedBy: ended_by_name === null ? null : { id: ended_by_id, name: ended_by_name },
  }
}

/** An offer that a later one by another writer continues, by adding to it or by taking it over. */
type EarlierOffer = Pick<ReviewRow, 'number' | 'revisionId' | 'note' | 'offeredAt' | 'offeredBy'> & {
  takenOver: boolean
}

/** The offers by other writers that the latest offer continues, also after it was published, the oldest first. */
export async function listEarlierOffers(db: Db, { pageId, locale }: PageLocaleKey): Promise<EarlierOffer[]> {
  const rows = await db
    .selectFrom('page_review_earlier')
    .select(['offer_number as number', 'revision_id as revisionId', 'note', 'offered_at as offeredAt'])
    .select(['offered_by_id', 'offered_by_name', 'taken_over_by_id'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .orderBy('offer_number')
    .execute()
  return rows.map(({ offered_by_id, offered_by_name, taken_over_by_id, ...offer }) => ({
    ...offer,
    offeredBy: { id: offered_by_id, name: offered_by_name },
    takenOver: taken_over_by_id !== null,
  }))
}

/**
 * Stores the waiting offer as an earlier one, in place of older ones by either writer. With `takenOver`, all earlier
 * offers that nobody has taken over yet are marked as taken over.
 */
export async function insertEarlierOffer(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  { earlier, takenOver, by }: { earlier: ReviewRow; takenOver: boolean; by: Author },
): Promise<void> {
  await tx
    .deleteFrom('page_review_earlier')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where((eb) => eb.or([eb('offered_by_id', '=', by.id), eb('offered_by_id', '=', earlier.offeredBy.id)]))
    .execute()
  await tx
    .insertInto('page_review_earlier')
    .values({
      page_id: pageId,
      locale,
      offer_number: earlier.number,
      revision_id: earlier.revisionId,
      note: earlier.note,
      offered_at: earlier.offeredAt,
      offered_by_id: earlier.offeredBy.id,
      offered_by_name: earlier.offeredBy.name,
      taken_over_by_id: null,
    })
    .execute()
  if (!takenOver) return
  await tx
    .updateTable('page_review_earlier')
    .set({ taken_over_by_id: by.id })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('taken_over_by_id', 'is', null)
    .execute()
}

/** Makes an earlier offer the waiting one, and undoes what the writer who withdrew the later offer had taken over. */
export async function restoreEarlierOffer(
  tx: Transaction,
  key: PageLocaleKey,
  { offer, withdrawnBy }: { offer: EarlierOffer; withdrawnBy: Author },
): Promise<void> {
  const { pageId, locale } = key
  await tx
    .deleteFrom('page_review_earlier')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('offer_number', '=', offer.number)
    .execute()
  await tx
    .updateTable('page_review_earlier')
    .set({ taken_over_by_id: null })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('taken_over_by_id', '=', withdrawnBy.id)
    .execute()
  await writeOffer(tx, key, { ...offer, by: offer.offeredBy })
}

export async function deleteEarlierOffers(tx: Transaction, { pageId, locale }: PageLocaleKey): Promise<void> {
  await tx.deleteFrom('page_review_earlier').where('page_id', '=', pageId).where('locale', '=', locale).execute()
}

/** Offers a revision, in place of the previous offer. The files that it uses cannot be deleted while it waits. */
export async function upsertReview(
  tx: Transaction,
  key: PageLocaleKey,
  offer: { revisionId: number; note: string; at: Date; by: Author },
): Promise<void> {
  await writeOffer(tx, key, { ...offer, offeredAt: offer.at.toISOString() })
}

async function writeOffer(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  offer: { revisionId: number; note: string; offeredAt: string; by: Author },
): Promise<void> {
  const values = {
    state: 'waiting' as const,
    revision_id: offer.revisionId,
    note: offer.note,
    offered_at: offer.offeredAt,
    offered_by_id: offer.by.id,
    offered_by_name: offer.by.name,
    reviewer_note: null,
    ended_at: null,
    ended_by_id: null,
    ended_by_name: null,
  }
  await tx
    .insertInto('page_review')
    .values({ page_id: pageId, locale, offer_number: 1, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['page_id', 'locale'])
        .doUpdateSet((eb) => ({ ...values, offer_number: eb('page_review.offer_number', '+', 1) })),
    )
    .execute()
  await writeOfferedUsages(tx, { pageId, locale })
}

/** Stores the file usages of the waiting offer and of the earlier ones, which wait again when it is withdrawn. */
async function writeOfferedUsages(tx: Transaction, { pageId, locale }: PageLocaleKey): Promise<void> {
  const rows = await tx
    .selectFrom('page_revision')
    .select('text')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('page_review')
        .select('revision_id')
        .where('page_id', '=', pageId)
        .where('locale', '=', locale)
        .union(
          eb
            .selectFrom('page_review_earlier')
            .select('revision_id')
            .where('page_id', '=', pageId)
            .where('locale', '=', locale),
        ),
    )
    .execute()
  const texts = rows.map(({ text }): PageText => JSON.parse(text))
  const combined = { body: texts.flatMap(({ body }) => body), pictures: texts.map(({ picture }) => picture) }
  await writeUsages(tx, { pageId, locale, source: 'offered', userId: null }, combined)
}

/**
 * Ends the waiting review. Publishing also ends a returned one, and deletes earlier offers that are not newer than the
 * published text, unless the review was ended by a publication, which can be undone.
 * @param end.upTo ends only an offer of this revision or an older one
 */
export async function endReview(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  end: { state: Exclude<ReviewRow['state'], 'waiting'>; answer?: string; at: Date; by: Author; upTo?: number },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('page_review')
    .set({
      state: end.state,
      // Publishing keeps the note with which the text was returned.
      ...(end.answer !== undefined && { reviewer_note: end.answer }),
      ended_at: end.at.toISOString(),
      ended_by_id: end.by.id,
      ended_by_name: end.by.name,
    })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    // Publishing also closes a returned text, which needs no more work.
    .where('state', 'in', end.state === 'published' ? ['waiting', 'returned'] : ['waiting'])
    .$if(end.upTo !== undefined, (query) => query.where('revision_id', '<=', end.upTo as number))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await writeUsages(tx, { pageId, locale, source: 'offered', userId: null }, undefined)
  if (end.state !== 'published') return
  const review = await findReview(tx, { pageId, locale })
  // Undoing the publication reopens the offer that it ended, with those that it continues.
  if (!review || review.state === 'published') return
  // An offer that is older than the published text must not wait again later.
  const { numDeletedRows } = await tx
    .deleteFrom('page_review_earlier')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .$if(end.upTo !== undefined, (query) => query.where('revision_id', '<=', end.upTo as number))
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n && review.state === 'waiting') await writeOfferedUsages(tx, { pageId, locale })
}

/** Lets an ended review wait again, with the earlier offers that it continues. */
export async function reopenReview(tx: Transaction, { pageId, locale }: PageLocaleKey): Promise<void> {
  await tx
    .updateTable('page_review')
    .set({ state: 'waiting', ended_at: null, ended_by_id: null, ended_by_name: null })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .execute()
  await writeOfferedUsages(tx, { pageId, locale })
}

/** The texts of these pages that wait for review. */
export async function listReviewLocales(db: Db, pageIds: readonly number[]): Promise<PageLocaleKey[]> {
  if (pageIds.length === 0) return []
  return db
    .selectFrom('page_review')
    .select(['page_id as pageId', 'locale'])
    .where('page_id', 'in', pageIds)
    .where('state', '=', 'waiting')
    .execute()
}

const selectListedReviews = (db: Db) =>
  db
    .selectFrom('page_review')
    .innerJoin('page', 'page.id', 'page_review.page_id')
    .innerJoin('page_text', (join) =>
      join.onRef('page_text.page_id', '=', 'page_review.page_id').onRef('page_text.locale', '=', 'page_review.locale'),
    )
    .where('page.trashed', '=', 0)

/** A review in a list; `at`, `by` and `note` are those of the offer, or for a returned text those of the reviewer. */
export interface ListedReview extends PageLocaleKey {
  title: string
  by: Author
  at: string
  note: string
}

/** The waiting reviews that another user offered, the oldest first, and how many there are. */
export async function listWaitingReviews(
  db: Db,
  userId: number,
  max: number,
): Promise<{ waiting: ListedReview[]; count: number }> {
  const byOthers = selectListedReviews(db)
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('offered_by_id', 'is', null), eb('offered_by_id', '!=', userId)]))
  const rows = await byOthers
    .select(['page_review.page_id as pageId', 'page_review.locale', 'page_text.title', 'note'])
    .select(['offered_at', 'offered_by_id', 'offered_by_name'])
    .orderBy('offered_at')
    .limit(max)
    .execute()
  return {
    waiting: rows.map(({ offered_at, offered_by_id, offered_by_name, ...row }) => ({
      ...row,
      at: offered_at,
      by: { id: offered_by_id, name: offered_by_name },
    })),
    count: await countResults(byOthers),
  }
}

/** The texts that were returned to this user, as an author who was not taken over, the newest first. */
export async function listReturnedReviews(db: Db, userId: number, max: number): Promise<ListedReview[]> {
  const rows = await selectListedReviews(db)
    .select(['page_review.page_id as pageId', 'page_review.locale', 'page_text.title', 'reviewer_note'])
    .select(['ended_at', 'ended_by_id', 'ended_by_name'])
    .where('state', '=', 'returned')
    .where((eb) =>
      eb.or([
        eb('offered_by_id', '=', userId),
        eb.exists(
          eb
            .selectFrom('page_review_earlier')
            .select('page_review_earlier.offer_number')
            .whereRef('page_review_earlier.page_id', '=', 'page_review.page_id')
            .whereRef('page_review_earlier.locale', '=', 'page_review.locale')
            .where('page_review_earlier.offered_by_id', '=', userId)
            .where('page_review_earlier.taken_over_by_id', 'is', null),
        ),
      ]),
    )
    .orderBy('ended_at', 'desc')
    .limit(max)
    .execute()
  return rows.map(({ ended_at, ended_by_id, ended_by_name, reviewer_note, ...row }) => ({
    ...row,
    at: ended_at ?? '',
    by: { id: ended_by_id, name: ended_by_name ?? '' },
    note: reviewer_note ?? '',
  }))
}

/** The offers of this user that another writer's waiting offer continues, the newest first. */
export async function listContinuedReviews(
  db: Db,
  userId: number,
  max: number,
): Promise<(ListedReview & { takenOver: boolean })[]> {
  const rows = await selectListedReviews(db)
    .innerJoin('page_review_earlier', (join) =>
      join
        .onRef('page_review_earlier.page_id', '=', 'page_review.page_id')
        .onRef('page_review_earlier.locale', '=', 'page_review.locale'),
    )
    .select(['page_review.page_id as pageId', 'page_review.locale', 'page_text.title', 'page_review.note'])
    .select(['page_review.offered_at', 'page_review.offered_by_id', 'page_review.offered_by_name', 'taken_over_by_id'])
    .where('state', '=', 'waiting')
    .where('page_review_earlier.offered_by_id', '=', userId)
    .orderBy('page_review.offered_at', 'desc')
    .limit(max)
    .execute()
  return rows.map(({ offered_at, offered_by_id, offered_by_name, taken_over_by_id, ...row }) => ({
    ...row,
    at: offered_at,
    by: { id: offered_by_id, name: offered_by_name },
    takenOver: taken_over_by_id !== null,
  }))
}

export interface ReviewRecipient {
  id: number
  name: string
  email: string
  locale: string
}

/** The active users who hold a right and want emails about reviews. */
const selectRecipients = (tx: Transaction, right: Right) =>
  selectUserRights(tx)
    .where('role_right.right_name', '=', right)
    .where('user.review_emails', '=', 1)
    .select(['user.id', 'user.name', 'user.email', 'user.locale'])
    .distinct()

export const listReviewersByEmail = (tx: Transaction): Promise<ReviewRecipient[]> =>
  selectRecipients(tx, 'pages.publish').execute()

/** The author of an offer; undefined when the user may no longer write pages or wants no emails about reviews. */
export const findAuthorByEmail = (tx: Transaction, userId: number): Promise<ReviewRecipient | undefined> =>
  selectRecipients(tx, 'pages.write').where('user.id', '=', userId).executeTakeFirst()
