import type { PageLock } from '../../contract/locks.ts'
import { administratorRoleId, hasRight, type RightsHolder } from '../../contract/rights.ts'
import { managerRights } from '../roles/role.policy.ts'

/** Whether pages can be locked for a role: not for administrators, nor when its users could give themselves another. */
export const isLockable = (role: RightsHolder & { id: number }): boolean =>
  role.id !== administratorRoleId && !hasRight(role, managerRights)

/**
 * Whether a lock applies to a user: all deciding roles of the user must be locked.
 * @param decidingRoleIds the roles of the user that give the right to write pages, or to change roles or users
 */
export const isLockedByRoles = (decidingRoleIds: readonly number[], lockedRoleIds: readonly number[]): boolean =>
  decidingRoleIds.length > 0 &&
  decidingRoleIds.every((roleId) => roleId !== administratorRoleId && lockedRoleIds.includes(roleId))

/** Whether any of the locks of a page applies to the actor for whom they were read. */
export const isLockedByAny = (locks: readonly PageLock[]): boolean => locks.some(({ binds }) => binds)
