import { hasRight, type RightsHolder } from '../../contract/rights.ts'

export const canSeeSections = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write', 'pages.publish'])

export const canWriteSections = (actor: RightsHolder): boolean => hasRight(actor, ['pages.write'])

/**
 * A change shows at once, so only users who may publish change a section in a text that is live, scheduled or waiting
 * for review; also while its page is in the trash, because restoring the page publishes it again.
 */
export const canChangeSection = (actor: RightsHolder, { live }: { live: boolean }): boolean =>
  canWriteSections(actor) && (!live || hasRight(actor, ['pages.publish']))
