import { holdsAll, privacyRights, type RightsHolder } from '../../contract/rights.ts'

export const canHandlePeople = (actor: RightsHolder): boolean => holdsAll(actor, privacyRights)
