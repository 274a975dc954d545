import { holdsAll, type Right, type RightsHolder } from '../../contract/rights.ts'

/** Personal data is in messages and in accounts, so both rights are required. */
const toHandlePeople = ['messages.write', 'users.write'] as const satisfies Right[]

export const canHandlePeople = (actor: RightsHolder): boolean => holdsAll(actor, toHandlePeople)
