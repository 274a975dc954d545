import { hasRight, type RightsHolder } from '../../contract/rights.ts'

export const canSeeSections = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWriteSections = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write'])

/** A change shows at once, so a section on a live or scheduled page is changed by users who may publish. */
export const canChangeSection = (actor: RightsHolder, { live }: { live: boolean }): boolean =>
  canWriteSections(actor) && (!live || hasRight(actor, ['pages.publish']))
