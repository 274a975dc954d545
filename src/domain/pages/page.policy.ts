import { type Locale, mainLocaleOf, rootLocaleOf, type SiteLanguages } from '../../contract/locales.ts'
import type { PageLock } from '../../contract/locks.ts'
import { hasRight, type RightsHolder } from '../../contract/rights.ts'
import { isBoundByAny } from '../locks/lock.policy.ts'

export const canSeePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWritePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write'])

/** Also needed to manage redirects. */
export const canPublishPages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.publish'])

/** Who is bound by one lock of a page changes none of them, nor takes the page off the site or deletes it. */
export const canLockPage = (actor: RightsHolder, locks: readonly PageLock[]): boolean =>
  canPublishPages(actor) && !isBoundByAny(locks)

/** A fixed page stays published in the main language, which others fall back to, and in that at the root. */
export const staysPublished = (
  { fixed }: { fixed: boolean },
  locale: Locale,
  site: Pick<SiteLanguages, 'locales' | 'rootLocale'>,
): boolean => fixed && (locale === mainLocaleOf(site) || locale === rootLocaleOf(site))

export const canUnpublishPage = (
  actor: RightsHolder,
  { stays, locks }: { stays: boolean; locks: readonly PageLock[] },
): boolean => canPublishPages(actor) && !stays && !isBoundByAny(locks)

/** A page that is live, scheduled, or was live when it was trashed, can only be deleted by users who may publish. */
export const canDeletePage = (actor: RightsHolder, page: { fixed: boolean; live: boolean }): boolean =>
  !page.fixed && canWritePages(actor) && (!page.live || canPublishPages(actor))

/** A reviewer sends an offer back instead, with the reason. */
export const canWithdrawReview = (
  actor: RightsHolder & { id: number },
  review: { offeredBy: { id: number | null } },
): boolean => canWritePages(actor) && review.offeredBy.id === actor.id
