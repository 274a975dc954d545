import { baseRoleId, hasRight, holdsAll, type Right } from '../../contract/rights.ts'

export interface Holder {
  rights: readonly Right[]
}

/** Whoever holds these can bring back everyone else and every right; somebody always holds each. */
export const managing: readonly Right[] = ['users.write', 'roles.write']

/** Who gives roles must see them, and so must who only looks at users. */
export const canSeeRoles = (actor: Holder): boolean => hasRight(actor, ['users.read', 'users.write', 'roles.write'])

export const canWriteRoles = (actor: Holder): boolean => hasRight(actor, ['roles.write'])

/** Nobody changes what holds more than they do, nor gives or takes a right that they lack. */
export const canChangeRole = (actor: Holder, before: Holder, after: Holder = before): boolean =>
  canWriteRoles(actor) && holdsAll(actor, before.rights) && holdsAll(actor, after.rights)

export const canDeleteRole = (actor: Holder, role: Holder & { id: number; users: number }): boolean =>
  canChangeRole(actor, role) && role.id !== baseRoleId && role.users === 0
