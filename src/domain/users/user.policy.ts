import { hasRight, holdsAll, type RightsHolder } from '../../contract/rights.ts'

export const canSeeUsers = (actor: RightsHolder): boolean => hasRight(actor, ['users.read', 'users.write'])

export const canWriteUsers = (actor: RightsHolder): boolean => hasRight(actor, ['users.write'])

/** Actors cannot change users who hold rights that they lack. */
export const canChangeUser = (actor: RightsHolder, target: RightsHolder): boolean =>
  canWriteUsers(actor) && holdsAll(actor, target.rights)

/** Actors cannot block themselves, so at least one manager of users remains. */
export const canBlockUser = (actor: RightsHolder & { id: number }, target: RightsHolder & { id: number }): boolean =>
  canChangeUser(actor, target) && target.id !== actor.id

export const canDeleteUser = canBlockUser

/** Actors cannot assign or remove rights that they do not hold. */
export const canGiveRole = (actor: RightsHolder, role: RightsHolder): boolean =>
  canWriteUsers(actor) && holdsAll(actor, role.rights)
