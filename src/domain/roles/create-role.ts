import { Refusal } from '../../contract/errors.ts'
import type { NewRole, Role } from '../../contract/roles.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findCountedRole, shown } from './find-role.ts'
import { lockPeople } from './lock-people.ts'
import { canChangeRole, canWriteRoles } from './role.policy.ts'
import { insertRole, isRoleName, replaceRights } from './role.queries.ts'

/** @throws {Refusal} `right_not_held`, `password_needed`, `invalid` for a name that is taken */
export async function createRole(ctx: Context, input: NewRole): Promise<Role> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteRoles)
    if (!canChangeRole(actor, input)) throw new Refusal('right_not_held')
    if (await isRoleName(tx, input.name)) throw nameTaken()

    const id = await insertRole(tx, input.name, ctx.now())
    await replaceRights(tx, id, input.rights)
    await record(tx, ctx, {
      action: 'role.created',
      subject: { type: 'role', id, name: input.name },
      after: { name: input.name, rights: input.rights },
    })
    return shown(await findCountedRole(tx, id), actor)
  })
}

export const nameTaken = () => new Refusal('invalid', { problems: [{ path: 'name', key: 'taken' }] })
