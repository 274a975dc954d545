import { Refusal } from '../../contract/errors.ts'
import { baseRoleId } from '../../contract/rights.ts'
import type { ChangedRole, NewRole, Role } from '../../contract/roles.ts'
import type { Context } from '../../platform/context.ts'
import { allow, isStale, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { revokeAccessObtainedByOthers } from '../sign-in/sessions.ts'
import { listUsersGainingRights } from '../sign-in/user-rights.queries.ts'
import { getCountedRole, presentRole } from './list-roles.ts'
import { ensureManagerRemains, lockUsersAndAuthorize } from './lock-users.ts'
import { canChangeRole, canWriteRoles } from './role.policy.ts'
import { deleteRoleRow, insertRole, isRoleNameTaken, replaceRights, updateRoleRow } from './role.queries.ts'

/**
 * Adds a role.
 * @throws {Refusal} `right_not_held`, `password_needed`, `invalid` for a name that is taken
 */
export async function createRole(ctx: Context, input: NewRole): Promise<Role> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteRoles)
    if (!canChangeRole(actor, input)) throw new Refusal('right_not_held')
    if (await isRoleNameTaken(tx, input.name)) throw nameTaken()

    const id = await insertRole(tx, input.name, ctx.now())
    await replaceRights(tx, id, input.rights)
    await record(tx, ctx, {
      action: 'role.created',
      subject: { type: 'role', id, name: input.name },
      after: { name: input.name, rights: input.rights },
    })
    return presentRole(await getCountedRole(tx, id), actor)
  })
}

const nameTaken = () => new Refusal('invalid', { problems: [{ path: 'name', key: 'taken' }] })

/**
 * Changes the name and the rights of a role. Users who gain rights are signed out.
 * @throws {Refusal} `not_found`, `right_not_held`, `password_needed`, `stale`, `last_manager`, `invalid` for a name
 * that is taken
 */
export async function updateRole(ctx: Context, id: number, input: ChangedRole): Promise<Role> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteRoles)
    const before = await getCountedRole(tx, id)
    if (!canChangeRole(actor, before, input)) throw new Refusal('right_not_held')
    if (isStale(input, before)) throw new Refusal('stale', { current: presentRole(before, actor) })
    if (await isRoleNameTaken(tx, input.name, id)) throw nameTaken()

    const added = input.rights.filter((right) => !before.rights.includes(right))
    const promoted = await listUsersGainingRights(tx, id, added)
    await ensureManagerRemains(tx, async () => {
      await updateRoleRow(tx, id, input.name, ctx.now())
      await replaceRights(tx, id, input.rights)
      await revokeAccessObtainedByOthers(tx, promoted, actor.sessionId)
    })
    const after = await getCountedRole(tx, id)
    await record(tx, ctx, {
      action: 'role.updated',
      subject: { type: 'role', id, name: after.name },
      before: { name: before.name, rights: before.rights },
      after: { name: after.name, rights: after.rights },
    })
    return presentRole(after, actor)
  })
}

/** @throws {Refusal} `not_found`, `right_not_held`, `password_needed`, `base_role`, `role_in_use` */
export async function deleteRole(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteRoles)
    const role = await getCountedRole(tx, id)
    if (!canChangeRole(actor, role)) throw new Refusal('right_not_held')
    if (id === baseRoleId) throw new Refusal('base_role')
    if (role.users > 0) throw new Refusal('role_in_use')

    await deleteRoleRow(tx, id)
    await record(tx, ctx, {
      action: 'role.deleted',
      subject: { type: 'role', id, name: role.name },
      before: { name: role.name, rights: role.rights },
    })
  })
}
