import type { Right } from '../../../contract/rights.ts'

/** What is known about a person lies in messages and in accounts: both are wanted. */
export const toHandlePeople = ['messages.write', 'users.write'] as const satisfies Right[]
