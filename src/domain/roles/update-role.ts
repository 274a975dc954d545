import { Refusal } from '../../contract/errors.ts'
import type { ChangedRole, Role } from '../../contract/roles.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { nameTaken } from './create-role.ts'
import { findCountedRole, shown } from './find-role.ts'
import { keepAManager } from './keep-a-manager.ts'
import { lockPeople } from './lock-people.ts'
import { canChangeRole, canWriteRoles } from './role.policy.ts'
import { isRoleName, replaceRights, updateRole as writeRole } from './role.queries.ts'

/** @throws {Refusal} `not_found`, `right_not_held`, `password_needed`, `stale`, `last_manager`, `invalid` for a name that is taken */
export async function updateRole(ctx: Context, id: number, input: ChangedRole): Promise<Role> {
  allow(ctx, canWriteRoles)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteRoles)
    const before = await findCountedRole(tx, id)
    if (!canChangeRole(actor, before, input)) throw new Refusal('right_not_held')
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale', { current: shown(before, actor) })
    }
    if (await isRoleName(tx, input.name, id)) throw nameTaken()

    await keepAManager(tx, async () => {
      await writeRole(tx, id, input.name, ctx.now())
      await replaceRights(tx, id, input.rights)
    })
    const after = await findCountedRole(tx, id)
    await record(tx, ctx, {
      action: 'role.updated',
      subject: { type: 'role', id, name: after.name },
      before: { name: before.name, rights: before.rights },
      after: { name: after.name, rights: after.rights },
    })
    return shown(after, actor)
  })
}
