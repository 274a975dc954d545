import { hasRight, type RightsHolder } from '../../contract/rights.ts'

/** Anyone who may see messages may mark them as read. */
export const canSeeMessages = (actor: RightsHolder): boolean => hasRight(actor, ['messages.read', 'messages.write'])

export const canWriteMessages = (actor: RightsHolder): boolean => hasRight(actor, ['messages.write'])
