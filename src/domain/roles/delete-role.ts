import { Refusal } from '../../contract/errors.ts'
import { baseRoleId } from '../../contract/rights.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findCountedRole } from './find-role.ts'
import { lockPeople } from './lock-people.ts'
import { canChangeRole, canWriteRoles } from './role.policy.ts'
import { deleteRole as remove } from './role.queries.ts'

/** @throws {Refusal} `not_found`, `right_not_held`, `password_needed`, `base_role`, `role_in_use` */
export async function deleteRole(ctx: Context, id: number): Promise<void> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteRoles)
    const role = await findCountedRole(tx, id)
    if (!canChangeRole(actor, role)) throw new Refusal('right_not_held')
    if (id === baseRoleId) throw new Refusal('base_role')
    if (role.users > 0) throw new Refusal('role_in_use')

    await remove(tx, id)
    await record(tx, ctx, {
      action: 'role.deleted',
      subject: { type: 'role', id, name: role.name },
      before: { name: role.name, rights: role.rights },
    })
  })
}
