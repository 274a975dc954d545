import { hasRight, type Right } from '../../contract/rights.ts'

interface Holder {
  rights: readonly Right[]
}

export const canSeePages = (actor: Holder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWritePages = (actor: Holder): boolean => hasRight(actor, ['pages.write'])

/** Also what leads visitors from one address to another. */
export const canPublishPages = (actor: Holder): boolean => hasRight(actor, ['pages.publish'])

/** What visitors see, or will by a plan, or saw until it came into the bin, is taken away by who may publish. */
export const canDeletePage = (actor: Holder, page: { fixed: boolean; live: boolean }): boolean =>
  !page.fixed && canWritePages(actor) && (!page.live || canPublishPages(actor))
