import { hasRight, type Right } from '../../contract/rights.ts'

interface Holder {
  rights: readonly Right[]
}

/** Whoever sees a message may say that it was read. */
export const canSeeMessages = (actor: Holder): boolean => hasRight(actor, ['messages.read', 'messages.write'])

export const canWriteMessages = (actor: Holder): boolean => hasRight(actor, ['messages.write'])
