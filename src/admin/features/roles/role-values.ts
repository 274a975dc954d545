import { type Right, rights } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'

/** What stands in the form. */
export interface RoleValues extends Record<string, unknown> {
  name: string
  rights: Right[]
}

export const valuesOf = (role: Role | undefined): RoleValues => ({
  name: role?.name ?? '',
  rights: inOrder(role?.rights ?? []),
})

/** One order, so that a right that was taken away and given back is no change. */
export const inOrder = (some: readonly Right[]): Right[] => rights.filter((right) => some.includes(right))
