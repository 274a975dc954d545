import { Refusal } from '../../contract/errors.ts'
import { defaultLocale } from '../../contract/locales.ts'
import { type NewUser, nameFromEmail, type User } from '../../contract/users.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { type EmbeddedRole, findRolesById } from '../roles/find-roles.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { upsertPassword } from '../sign-in/account.queries.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { auditedFields, auditSubject, getUserWithRoles, givesRights, presentUser } from './find-users.ts'
import { canGiveRole, canWriteUsers } from './user.policy.ts'
import { insertUser } from './user.queries.ts'

/**
 * Adds a user. Emails are sent by separate calls: `notifyUser`, or a password link.
 * @throws {Refusal} `right_not_held`, `password_needed` for a role with rights, `invalid` for an address that is taken
 * or a password that is easily guessed
 */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  allow(ctx, canWriteUsers)
  const hash = input.password === undefined ? undefined : await hashNewPassword(input.password, input.email)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const { base, wanted } = await getRequestedRole(tx, input.user_role?.set[0], 'user_role.set.0')
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
    if (hash !== undefined) await upsertPassword(tx, id, { hash, chosenByOther: true }, ctx.now())
    const user = await getUserWithRoles(tx, id)
    await record(tx, ctx, { action: 'user.created', subject: auditSubject(user), after: auditedFields(user) })
    return presentUser(user, actor)
  })
}

/** @throws {Refusal} `invalid` when the role does not exist */
export async function getRequestedRole(
  tx: Transaction,
  id: number | null | undefined,
  path: string,
): Promise<{ base: EmbeddedRole; wanted: EmbeddedRole | null }> {
  const { base, byId } = await findRolesById(tx, [id ?? null])
  const wanted = id === null || id === undefined ? null : byId.get(id)
  if (wanted === undefined) throw new Refusal('invalid', { problems: [{ path, key: 'unknownRole' }] })
  return { base, wanted }
}

export const emailTaken = () => new Refusal('invalid', { problems: [{ path: 'email', key: 'taken' }] })
