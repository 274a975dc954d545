import { Refusal } from '../../contract/errors.ts'
import type { Role } from '../../contract/roles.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { canChangeRole, canDeleteRole, canSeeRoles } from './role.policy.ts'
import { type CountedRole, listCountedRoles } from './role.queries.ts'

/** Every role there is. They are few, so they come at once. */
export async function listRoles(ctx: Context): Promise<Role[]> {
  const actor = allow(ctx, canSeeRoles)
  return (await listCountedRoles(ctx.db)).map((one) => shown(one, actor))
}

/** @throws {Refusal} `not_found` */
export async function getRole(ctx: Context, id: number): Promise<Role> {
  const actor = allow(ctx, canSeeRoles)
  return shown(await findCountedRole(ctx.db, id), actor)
}

/** @throws {Refusal} `not_found` */
export async function findCountedRole(db: Database | Transaction, id: number): Promise<CountedRole> {
  const [role] = await listCountedRoles(db, id)
  if (!role) throw new Refusal('not_found')
  return role
}

export const shown = (role: CountedRole, actor: Actor): Role => ({
  ...role,
  can: { change: canChangeRole(actor, role), delete: canDeleteRole(actor, role) },
})
