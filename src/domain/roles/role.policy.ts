import { baseRoleId, hasRight, holdsAll, type Right, type RightsHolder } from '../../contract/rights.ts'

/** With these rights all other rights can be restored; each is always held by some user. */
export const managerRights: readonly Right[] = ['users.write', 'roles.write']

/** Needed to assign roles, and to view users. */
export const canSeeRoles = (actor: RightsHolder): boolean =>
  hasRight(actor, ['users.read', 'users.write', 'roles.write'])

export const canWriteRoles = (actor: RightsHolder): boolean => hasRight(actor, ['roles.write'])

/** Actors cannot change roles with rights that they lack, nor add or remove such rights. */
export const canChangeRole = (actor: RightsHolder, before: RightsHolder, after: RightsHolder = before): boolean =>
  canWriteRoles(actor) && holdsAll(actor, before.rights) && holdsAll(actor, after.rights)

export const canDeleteRole = (actor: RightsHolder, role: RightsHolder & { id: number; users: number }): boolean =>
  canChangeRole(actor, role) && role.id !== baseRoleId && role.users === 0
