import { holdsAll, privacyRights, type RightsHolder } from '../../contract/rights.ts'

/** Whether the actor may search, export and erase the personal data of others. */
export const canHandlePersonalData = (actor: RightsHolder): boolean => holdsAll(actor, privacyRights)
