import { isHiddenEntry } from '../../contract/collections.ts'
import { emptyText } from '../../contract/empty-text.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import type { PageLock } from '../../contract/locks.ts'
import type { DraftText, ListedPage, PageInLocale, PageReview } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { shownAuthor } from '../audit/record.ts'
import { listPageLocks, locksOfPages } from '../locks/list-locks.ts'
import { isLockedByAny } from '../locks/lock.policy.ts'
import {
  canDeletePage,
  canLockPage,
  canPublishPages,
  canUnpublishPage,
  canWithdrawReview,
  canWritePages,
  mustStayPublished,
} from './page.policy.ts'
import {
  isLiveOrScheduled,
  livePath,
  type PageLocaleKey,
  type PageRow,
  stateOf,
  textsOf,
  wasLive,
} from './page.queries.ts'
import { findDraftState, listDraftLocales } from './page-draft.queries.ts'
import { findReview, listEarlierOffers, listReviewLocales } from './review.queries.ts'
import { findPageRevision, findVersionOf, type RevisionRow } from './revision.queries.ts'

const canOf = (actor: Actor, page: PageRow, locks: readonly PageLock[]): ListedPage['can'] => ({
  change: canWritePages(actor) && page.deletedAt === null,
  publish: canPublishPages(actor) && page.deletedAt === null,
  delete:
    canDeletePage(actor, { fixed: page.fixed, live: page.deletedAt ? wasLive(page) : isLiveOrScheduled(page) }) &&
    !isLockedByAny(locks),
})

/** The database, and the site for the addresses of pages and for what it no longer has. */
interface Shown {
  tx: Db
  site: Pick<SiteConfig, 'locales' | 'rootLocale' | 'collections'>
}

/** Pages as list items for an actor. */
export async function shownPages(
  { tx: db, site }: Shown,
  pages: readonly PageRow[],
  actor: Actor,
): Promise<ListedPage[]> {
  const ids = pages.map(({ id }) => id)
  const drafts = await listDraftLocales(db, actor.id, ids)
  const reviews = await listReviewLocales(db, ids)
  const locks = await locksOfPages(db, ids, actor)
  return pages.map((page) => ({
    id: page.id,
    fixed: page.fixed,
    collection: page.collection,
    nl: listedText(page, 'nl', actor, site),
    fa: listedText(page, 'fa', actor, site),
    texts: Object.fromEntries(
      textsOf(page).map(({ locale }) => [
        locale,
        listedText(page, locale, actor, site) as NonNullable<ListedPage['nl']>,
      ]),
    ),
    drafts: drafts.filter(({ pageId }) => pageId === page.id).map(({ locale }) => locale),
    reviews: reviews.filter(({ pageId }) => pageId === page.id).map(({ locale }) => locale),
    deletedAt: page.deletedAt,
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    updatedBy: shownAuthor(page.updatedBy, actor.locale),
    can: canOf(actor, page, locks.get(page.id) ?? []),
  }))
}

export async function shownPage(shown: Shown, page: PageRow, actor: Actor): Promise<ListedPage> {
  return (await shownPages(shown, [page], actor))[0] as ListedPage
}

function listedText(page: PageRow, locale: Locale, actor: Actor, site: Shown['site']): ListedPage['nl'] {
  const text = page.texts[locale]
  if (!text) return null
  const { title, slug, publishAt, unpublishAt, savedAt, savedBy } = text
  return {
    title,
    slug,
    path: livePath(text, site),
    state: stateOf(text),
    hiddenBy: hiddenBy(site, page, locale),
    publishAt,
    unpublishAt,
    savedAt,
    savedBy: shownAuthor(savedBy, actor.locale),
    isOlder: savedAt < (page.texts[mainLocaleOf(site)]?.savedAt ?? ''),
  }
}

function hiddenBy(site: Shown['site'], { collection }: PageRow, locale: Locale): PageInLocale['hiddenBy'] {
  if (isHiddenEntry(site, collection)) return 'collection'
  return site.locales.includes(locale) ? null : 'language'
}

/**
 * A page for editing in one language, with or without a text there.
 * @param saved the saved revision, when it was already read
 */
export async function shownInLocale(
  { tx: db, site }: Shown,
  page: PageRow,
  locale: Locale,
  actor: Actor,
  saved?: RevisionRow,
): Promise<PageInLocale> {
  const text = page.texts[locale]
  const at = { pageId: page.id, locale }
  const current = saved ?? (text && (await findPageRevision(db, at, text.savedRevisionId)))
  const { revision, draft } = await findDraftState(db, at, actor.id)
  const locks = await listPageLocks(db, page.id, actor)
  return {
    id: page.id,
    locale,
    fixed: page.fixed,
    collection: page.collection,
    version: text?.version ?? 0,
    // A fixed page has the same slug in each language.
    text: {
      ...(current ? asDraft(current.text) : { ...emptyText, slug: page.fixed ? (textsOf(page)[0]?.slug ?? '') : '' }),
      ...(page.collection !== null && { fields: current?.text.fields ?? {} }),
    },
    state: text ? stateOf(text) : 'unpublished',
    hiddenBy: hiddenBy(site, page, locale),
    path: text ? livePath(text, site) : null,
    publishedAt: text?.publishedAt ?? null,
    publishAt: text?.publishAt ?? null,
    plannedVersion:
      text?.publishRevisionId == null ? null : ((await findVersionOf(db, text.publishRevisionId)) ?? null),
    unpublishAt: text?.unpublishAt ?? null,
    savedAt: text?.savedAt ?? null,
    savedBy: text ? shownAuthor(text.savedBy, actor.locale) : null,
    draft,
    draftRevision: revision,
    review: await shownReview(db, at, { actor, liveRevision: text?.liveRevisionId ?? null }),
    deletedAt: page.deletedAt,
    locks,
    can: {
      ...canOf(actor, page, locks),
      unpublish:
        canUnpublishPage(actor, { stays: mustStayPublished(page, locale, site), locks }) && page.deletedAt === null,
      lock: canLockPage(actor, locks) && page.deletedAt === null,
    },
  }
}

async function shownReview(
  db: Db,
  at: PageLocaleKey,
  { actor, liveRevision }: { actor: Actor; liveRevision: number | null },
): Promise<PageReview | null> {
  const review = await findReview(db, at)
  if (!review) return null
  const { revisionId, offeredBy, endedBy, ...shown } = review
  const earlier = review.state === 'published' ? [] : await listEarlierOffers(db, at)
  return {
    ...shown,
    version: (await findVersionOf(db, revisionId)) ?? 0,
    revision: revisionId,
    liveRevision,
    offeredBy: shownAuthor(offeredBy, actor.locale),
    endedBy: endedBy && shownAuthor(endedBy, actor.locale),
    earlier: earlier.map(({ revisionId, ...offer }) => ({
      ...offer,
      offeredBy: shownAuthor(offer.offeredBy, actor.locale),
    })),
    can: { withdraw: review.state === 'waiting' && canWithdrawReview(actor, review) },
  }
}

/** Every valid text is also a draft; a draft need not be valid. */
export const asDraft = (text: object): DraftText => text as DraftText
