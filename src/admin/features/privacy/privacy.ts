import type { Right } from '../../../contract/rights.ts'

/** Personal data is in both messages and accounts, so both rights are required. */
export const privacyRights = ['messages.write', 'users.write'] as const satisfies Right[]
