import { type Locale, mainLocaleOf, rootLocaleOf, type SiteLanguages } from '../../contract/locales.ts'
import type { PageLock } from '../../contract/locks.ts'
import { hasRight, type RightsHolder } from '../../contract/rights.ts'
import { isLockedByAny } from '../locks/lock.policy.ts'

export const canSeePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWritePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write'])

/** Whether the actor may publish and unpublish pages, and manage redirects. */
export const canPublishPages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.publish'])

/** An actor to whom any lock of a page applies may not change its locks. */
export const canLockPage = (actor: RightsHolder, locks: readonly PageLock[]): boolean =>
  canPublishPages(actor) && !isLockedByAny(locks)

/**
 * A fixed page, such as the home page, must stay published in the main language, to which others fall back, and in the
 * language at the root.
 */
export const mustStayPublished = (
  { fixed }: { fixed: boolean },
  locale: Locale,
  site: Pick<SiteLanguages, 'locales' | 'rootLocale'>,
): boolean => fixed && (locale === mainLocaleOf(site) || locale === rootLocaleOf(site))

export const canUnpublishPage = (
  actor: RightsHolder,
  { mustStay, locks }: { mustStay: boolean; locks: readonly PageLock[] },
): boolean => canPublishPages(actor) && !mustStay && !isLockedByAny(locks)

/** Needs the right to publish if `page.live`: the page is live or scheduled, or was live when it was trashed. */
export const canDeletePage = (actor: RightsHolder, page: { fixed: boolean; live: boolean }): boolean =>
  !page.fixed && canWritePages(actor) && (!page.live || canPublishPages(actor))

/** Only the author of an offer can withdraw it; a reviewer returns it instead, with a note. */
export const canWithdrawReview = (
  actor: RightsHolder & { id: number },
  review: { offeredBy: { id: number | null } },
): boolean => canWritePages(actor) && review.offeredBy.id === actor.id
