import type { PageLock } from '../../contract/locks.ts'
import { administratorRoleId, hasRight, type RightsHolder } from '../../contract/rights.ts'
import { managerRights } from '../roles/role.policy.ts'

/** Whether pages can be locked for a role: not for that of administrators, nor when its users could free themselves. */
export const isLockable = (role: RightsHolder & { id: number }): boolean =>
  role.id !== administratorRoleId && !hasRight(role, managerRights)

/**
 * Whether a lock for some roles applies to a user: each role that gives the user the right to write pages, or to change roles
 * or users, must be among them.
 * @param deciding the roles that give the user one of those rights
 */
export const isLockedByRoles = (deciding: readonly number[], locked: readonly number[]): boolean =>
  deciding.length > 0 && deciding.every((role) => role !== administratorRoleId && locked.includes(role))

/** Whether any of the locks of a page applies to the actor for whom they were read. */
export const isLockedByAny = (locks: readonly PageLock[]): boolean => locks.some(({ binds }) => binds)
