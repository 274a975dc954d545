import { hasRight, type Right } from '../../contract/rights.ts'

/** Who makes the site wants to know what is read of it. */
export const toSeeViews = ['pages.write', 'config.write'] as const satisfies Right[]

export const canSeeViews = (actor: { rights: readonly Right[] }): boolean => hasRight(actor, toSeeViews)
