import { holdsAll, type Right } from '../../contract/rights.ts'

/** What is known about a person lies in messages and in accounts, so both rights are wanted. */
export const toHandlePeople = ['messages.write', 'users.write'] as const satisfies Right[]

export const canHandlePeople = (actor: { rights: readonly Right[] }): boolean => holdsAll(actor, toHandlePeople)
