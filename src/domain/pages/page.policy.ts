import { hasRight, type RightsHolder } from '../../contract/rights.ts'

export const canSeePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWritePages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write'])

/** Also needed to manage redirects. */
export const canPublishPages = (actor: RightsHolder): boolean => hasRight(actor, ['pages.publish'])

/** A page that is live, scheduled, or was live when it was trashed, can only be deleted by users who may publish. */
export const canDeletePage = (actor: RightsHolder, page: { fixed: boolean; live: boolean }): boolean =>
  !page.fixed && canWritePages(actor) && (!page.live || canPublishPages(actor))
