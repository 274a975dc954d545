import { hasRight, holdsAll, type Right } from '../../contract/rights.ts'

interface Holder {
  rights: readonly Right[]
}

export const canSeeUsers = (actor: Holder): boolean => hasRight(actor, ['users.read', 'users.write'])

export const canWriteUsers = (actor: Holder): boolean => hasRight(actor, ['users.write'])

/** Nobody changes a user who holds more than they do. */
export const canChangeUser = (actor: Holder, target: Holder): boolean =>
  canWriteUsers(actor) && holdsAll(actor, target.rights)

/** Nobody locks themselves out; that also keeps one manager, whatever a manager does to the others. */
export const canBlockUser = (actor: Holder & { id: number }, target: Holder & { id: number }): boolean =>
  canChangeUser(actor, target) && target.id !== actor.id

export const canDeleteUser = canBlockUser

/** Nobody gives a right that they do not hold; taking one away is the same. */
export const canGiveRole = (actor: Holder, role: Holder): boolean =>
  canWriteUsers(actor) && holdsAll(actor, role.rights)
