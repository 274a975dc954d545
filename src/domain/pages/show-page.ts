import { isHiddenEntry } from '../../contract/collections.ts'
import { emptyText } from '../../contract/empty-text.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import type { PageLock } from '../../contract/locks.ts'
import type { DraftText, ListedPage, PageInLocale, PageReview } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { shownAuthor } from '../audit/record.ts'
import { listLocksByPage, listPageLocks } from '../locks/list-locks.ts'
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
import { findPageRevision, findRevisionVersion, type RevisionRow } from './revision.queries.ts'

const actionsOf = (actor: Actor, page: PageRow, locks: readonly PageLock[]): ListedPage['can'] => ({
  change: canWritePages(actor) && page.deletedAt === null,
  publish: canPublishPages(actor) && page.deletedAt === null,
  delete:
    canDeletePage(actor, { fixed: page.fixed, live: page.deletedAt ? wasLive(page) : isLiveOrScheduled(page) }) &&
    !isLockedByAny(locks),
})

/** The database, and the site: its languages and collections decide the paths of pages, and which pages are hidden. */
interface ReadContext {
  tx: Db
  site: Pick<SiteConfig, 'locales' | 'rootLocale' | 'collections'>
}

/** Pages as the API lists them for an actor. */
export async function loadListedPages(
  { tx: db, site }: ReadContext,
  pages: readonly PageRow[],
  actor: Actor,
): Promise<ListedPage[]> {
  const ids = pages.map(({ id }) => id)
  const drafts = await listDraftLocales(db, actor.id, ids)
  const reviews = await listReviewLocales(db, ids)
  const locks = await listLocksByPage(db, ids, actor)
  return pages.map((page) => ({
    id: page.id,
    fixed: page.fixed,
    collection: page.collection,
    nl: toListedText(page, 'nl', actor, site),
    fa: toListedText(page, 'fa', actor, site),
    texts: Object.fromEntries(
      textsOf(page).map(({ locale }) => [
        locale,
        toListedText(page, locale, actor, site) as NonNullable<ListedPage['nl']>,
      ]),
    ),
    drafts: drafts.filter(({ pageId }) => pageId === page.id).map(({ locale }) => locale),
    reviews: reviews.filter(({ pageId }) => pageId === page.id).map(({ locale }) => locale),
    deletedAt: page.deletedAt,
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    updatedBy: shownAuthor(page.updatedBy, actor.locale),
    can: actionsOf(actor, page, locks.get(page.id) ?? []),
  }))
}

export async function loadListedPage(ctx: ReadContext, page: PageRow, actor: Actor): Promise<ListedPage> {
  return (await loadListedPages(ctx, [page], actor))[0] as ListedPage
}

/** A text of a page as listed; null when the page has none in the language. */
function toListedText(page: PageRow, locale: Locale, actor: Actor, site: ReadContext['site']): ListedPage['nl'] {
  const text = page.texts[locale]
  if (!text) return null
  const { title, slug, publishAt, unpublishAt, savedAt, savedBy } = text
  return {
    title,
    slug,
    path: livePath(text, site),
    state: stateOf(text),
    hiddenBy: hiddenByOf(site, page, locale),
    publishAt,
    unpublishAt,
    savedAt,
    savedBy: shownAuthor(savedBy, actor.locale),
    isOlder: savedAt < (page.texts[mainLocaleOf(site)]?.savedAt ?? ''),
  }
}

/** What the site lacks, so that visitors do not see the text: its collection or its language. */
function hiddenByOf(site: ReadContext['site'], { collection }: PageRow, locale: Locale): PageInLocale['hiddenBy'] {
  if (isHiddenEntry(site, collection)) return 'collection'
  return site.locales.includes(locale) ? null : 'language'
}

/**
 * A page for editing in one language, also when it has no text in it.
 * @param saved the saved revision, when it was read already
 */
export async function loadPageInLocale(
  { tx: db, site }: ReadContext,
  page: PageRow,
  locale: Locale,
  actor: Actor,
  saved?: RevisionRow,
): Promise<PageInLocale> {
  const text = page.texts[locale]
  const key = { pageId: page.id, locale }
  const current = saved ?? (text && (await findPageRevision(db, key, text.savedRevisionId)))
  const { revision, draft } = await findDraftState(db, key, actor.id)
  const locks = await listPageLocks(db, page.id, actor)
  // A fixed page has the same slug in each language.
  const fixedSlug = page.fixed ? (textsOf(page)[0]?.slug ?? '') : ''
  return {
    id: page.id,
    locale,
    fixed: page.fixed,
    collection: page.collection,
    version: text?.version ?? 0,
    text: {
      ...(current ? asDraft(current.text) : { ...emptyText, slug: fixedSlug }),
      ...(page.collection !== null && { fields: current?.text.fields ?? {} }),
    },
    state: text ? stateOf(text) : 'unpublished',
    hiddenBy: hiddenByOf(site, page, locale),
    path: text ? livePath(text, site) : null,
    publishedAt: text?.publishedAt ?? null,
    publishAt: text?.publishAt ?? null,
    plannedVersion:
      text?.publishRevisionId == null ? null : ((await findRevisionVersion(db, text.publishRevisionId)) ?? null),
    unpublishAt: text?.unpublishAt ?? null,
    savedAt: text?.savedAt ?? null,
    savedBy: text ? shownAuthor(text.savedBy, actor.locale) : null,
    draft,
    draftRevision: revision,
    review: await loadReview(db, key, { actor, liveRevision: text?.liveRevisionId ?? null }),
    deletedAt: page.deletedAt,
    locks,
    can: {
      ...actionsOf(actor, page, locks),
      unpublish:
        canUnpublishPage(actor, { mustStay: mustStayPublished(page, locale, site), locks }) && page.deletedAt === null,
      lock: canLockPage(actor, locks) && page.deletedAt === null,
    },
  }
}

async function loadReview(
  db: Db,
  key: PageLocaleKey,
  { actor, liveRevision }: { actor: Actor; liveRevision: number | null },
): Promise<PageReview | null> {
  const review = await findReview(db, key)
  if (!review) return null
  const { revisionId, offeredBy, endedBy, ...fields } = review
  const earlier = review.state === 'published' ? [] : await listEarlierOffers(db, key)
  return {
    ...fields,
    version: (await findRevisionVersion(db, revisionId)) ?? 0,
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

/** A text as a draft, by a cast: every valid text has the shape of a draft, which need not be valid. */
export const asDraft = (text: object): DraftText => text as DraftText
