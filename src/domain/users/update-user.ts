import { Refusal } from '../../contract/errors.ts'
import { holdsAll } from '../../contract/rights.ts'
import type { ChangedUser, User } from '../../contract/users.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow, isStale, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { ensureManagerRemains, lockUsersAndAuthorize } from '../roles/lock-users.ts'
import {
  deleteLinkedAccounts,
  deletePasskeys,
  markPasswordChosenByOther,
  upsertPassword,
} from '../sign-in/account.queries.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { endSessions, revokeAccessObtainedByOthers } from '../sign-in/sessions.ts'
import { emailTaken, getRequestedRole } from './create-user.ts'
import { auditedFields, auditSubject, getUserWithRoles, presentUser, type UserWithRoles } from './list-users.ts'
import { canBlockUser, canChangeUser, canGiveRole, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail, type UserValues, updateUserRow } from './user.queries.ts'
import { aboutUser } from './user-email.ts'

/**
 * Changes a user. A user who is blocked, gets another password or address, or gains rights is signed out in every
 * browser; the actor's own session stays.
 * @throws {Refusal} `not_found`, `right_not_held`, `stale`, `own_account`, `last_manager`, `invalid` for an address
 * that is taken; `password_needed` for another role, address or password
 */
export async function updateUser(ctx: Context, id: number, input: ChangedUser): Promise<User> {
  allow(ctx, canWriteUsers)
  const hash = input.password === undefined ? undefined : await hashNewPassword(input.password, input.email)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const before = await getUserWithRoles(tx, id)
    if (!canChangeUser(actor, before)) throw new Refusal('right_not_held')
    if (isStale(input, before)) throw new Refusal('stale', { current: presentUser(before, actor) })
    const { values, promoted } = await validateUpdate(tx, { actor, before, input })
    const emailChanged = values.email !== before.email
    const credentialsChanged = emailChanged || hash !== undefined
    if (credentialsChanged || values.roleId !== before.roleId) requireConfirmed(ctx)

    await ensureManagerRemains(tx, () => updateOrRefuse(tx, ctx, id, values))
    const sessionToKeep = id === actor.id ? actor.sessionId : undefined
    if (promoted) await revokeAccessObtainedByOthers(tx, [id], sessionToKeep)
    const chosenByOther = id === actor.id ? 'unchanged' : true
    if (hash !== undefined) await upsertPassword(tx, id, { hash, chosenByOther }, ctx.now())
    if (credentialsChanged || (values.blocked && !before.blocked)) {
      await endSessions(tx, [id], sessionToKeep)
    }
    // A queued email could reach a wrong address, or contain a link for a blocked user.
    if (emailChanged || values.blocked) await deleteEmailsAbout(tx, [aboutUser(id)])
    // Somebody at the previous address may have set the password, or added other sign-in methods.
    const emailChangedByOther = emailChanged && id !== actor.id
    if (emailChangedByOther) await markPasswordChosenByOther(tx, id)
    const methodsRemoved = emailChangedByOther
      ? (await deleteLinkedAccounts(tx, id)) + (await deletePasskeys(tx, id))
      : 0

    const after = await getUserWithRoles(tx, id)
    await record(tx, ctx, {
      action: 'user.updated',
      subject: auditSubject(after),
      before: auditedFields(before),
      after: {
        ...auditedFields(after),
        ...(hash !== undefined && { passwordSet: true }),
        ...(methodsRemoved > 0 && { waysRemoved: methodsRemoved }),
      },
    })
    return presentUser(after, actor)
  })
}

/**
 * Validates the change.
 * @returns the values to store; `promoted`: the user gains rights
 */
async function validateUpdate(
  tx: Transaction,
  change: { actor: Actor; before: UserWithRoles; input: ChangedUser },
): Promise<{ values: UserValues; promoted: boolean }> {
  const { actor, before, input } = change
  const { requested } = await getRequestedRole(tx, input.user_role?.set[0], 'user_role.set.0')
  if (requested && !canGiveRole(actor, requested)) throw new Refusal('right_not_held')
  const blocked = input.blocked ?? before.blocked
  if (blocked && !before.blocked && !canBlockUser(actor, before)) throw new Refusal('own_account')
  if (input.email !== before.email && (await findUserRowByEmail(tx, input.email))) throw emailTaken()
  return {
    values: {
      email: input.email,
      name: input.name ?? before.name,
      blocked,
      roleId: requested?.id ?? null,
      locale: input.locale ?? before.locale,
    },
    promoted: !holdsAll(before, requested?.rights ?? []),
  }
}

/** Stores the values. @throws {Refusal} `invalid` when the address was taken since it was checked */
async function updateOrRefuse(tx: Transaction, ctx: Context, id: number, values: UserValues): Promise<void> {
  try {
    await updateUserRow(tx, id, values, ctx.now())
  } catch (error) {
    throw ctx.dialect.isUniqueViolation(error) ? emailTaken() : error
  }
}
