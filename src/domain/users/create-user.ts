import { Refusal } from '../../contract/errors.ts'
import { defaultLocale } from '../../contract/locales.ts'
import { type NewUser, nameFromEmail, type User } from '../../contract/users.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findRolesById, type RoleInside } from '../roles/find-roles-of.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { setPassword } from '../sign-in/set-password.ts'
import { findRoledUser } from './find-users.ts'
import { auditedUser, givesRights, shownUser, subjectOf } from './show-users.ts'
import { canGiveRole, canWriteUsers } from './user.policy.ts'
import { insertUser } from './user.queries.ts'

/**
 * Adds a user. The letter about it is another call: `notifyUser`, or a link to set a password.
 * @throws {Refusal} `right_not_held`, `password_needed` for a role with rights, `invalid` for an address that is taken
 */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  allow(ctx, canWriteUsers)
  const hash = input.password === undefined ? undefined : await hashPassword(input.password)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const { base, wanted } = await wantedRole(tx, input.user_role?.set[0], 'user_role.set.0')
    if (wanted && !canGiveRole(actor, wanted)) throw new Refusal('right_not_held')
    if (givesRights(wanted, base)) requireConfirmed(ctx)

    const id = await insertUser(
      tx,
      {
        email: input.email,
        name: input.name ?? nameFromEmail(input.email),
        blocked: input.blocked ?? false,
        roleId: wanted?.id ?? null,
        locale: input.locale ?? defaultLocale,
      },
      ctx.now(),
    )
    if (id === undefined) throw emailTaken()
    if (hash !== undefined) await setPassword(tx, ctx, id, hash)
    const user = await findRoledUser(tx, id)
    await record(tx, ctx, { action: 'user.created', subject: subjectOf(user), after: auditedUser(user) })
    return shownUser(user, actor)
  })
}

/** @throws {Refusal} `invalid` when there is no such role */
export async function wantedRole(
  tx: Transaction,
  id: number | null | undefined,
  path: string,
): Promise<{ base: RoleInside; wanted: RoleInside | null }> {
  const { base, byId } = await findRolesById(tx, [id ?? null])
  const wanted = id === null || id === undefined ? null : byId.get(id)
  if (wanted === undefined) throw new Refusal('invalid', { problems: [{ path, key: 'unknownRole' }] })
  return { base, wanted }
}

export const emailTaken = () => new Refusal('invalid', { problems: [{ path: 'email', key: 'taken' }] })
