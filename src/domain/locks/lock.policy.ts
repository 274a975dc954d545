import type { PageLock } from '../../contract/locks.ts'
import { administratorRoleId } from '../../contract/rights.ts'

/**
 * Whether roles that are locked bind a user: each role that gives the user the right to write pages must be among them.
 * Administrators are never bound.
 * @param writers the roles that give the user that right
 */
export const isBound = (writers: readonly number[], locked: readonly number[]): boolean =>
  writers.length > 0 && writers.every((role) => role !== administratorRoleId && locked.includes(role))

/** Whether any of the locks of a page binds the actor for whom they were read. */
export const isBoundByAny = (locks: readonly PageLock[]): boolean => locks.some(({ binds }) => binds)
