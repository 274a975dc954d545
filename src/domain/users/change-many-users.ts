import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { holdsAll } from '../../contract/rights.ts'
import type { User } from '../../contract/users.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { ensureManagerRemains, lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { endSessions, revokeAccessObtainedByOthers } from '../sign-in/sessions.ts'
import { getRequestedRole } from './create-user.ts'
import { auditedFields, auditSubject, listUsersById, presentUser, type UserWithRoles } from './list-users.ts'
import { canBlockUser, canChangeUser, canGiveRole, canWriteUsers } from './user.policy.ts'
import { updateUserRows } from './user.queries.ts'
import { aboutUser } from './user-email.ts'

/**
 * Blocks or unblocks users: all, or none when one is refused. Blocked users are signed out immediately.
 * @returns the users after the change
 * @throws {Refusal} `right_not_held`, `own_account`, `last_manager`, `invalid` for an unknown id
 */
export async function blockUsers(ctx: Context, input: { ids: number[]; blocked: boolean }): Promise<User[]> {
  const { ids, blocked } = input
  allow(ctx, canWriteUsers)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const before = await requireChangeableUsers(tx, actor, ids)
    if (blocked && !before.every((user) => canBlockUser(actor, user))) throw new Refusal('own_account')

    const affected = before.filter((user) => user.blocked !== blocked)
    return changeMany(tx, ctx, {
      actor,
      ids,
      affected,
      action: blocked ? 'user.blocked' : 'user.unblocked',
      async write() {
        await updateUserRows(tx, idsOf(affected), { blocked }, ctx.now())
        if (!blocked) return
        await endSessions(tx, idsOf(affected))
        await deleteEmailsAbout(tx, idsOf(affected).map(aboutUser))
      },
    })
  })
}

/**
 * Assigns or removes the role of users: all, or none when one is refused. Users who gain rights are signed out.
 * @param input.roleId null removes the role
 * @throws {Refusal} `right_not_held`, `password_needed`, `last_manager`, `invalid` for an unknown id
 */
export async function setRole(ctx: Context, input: { ids: number[]; roleId: number | null }): Promise<User[]> {
  const { ids, roleId } = input
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const { requested } = await getRequestedRole(tx, roleId, 'roleId')
    if (requested && !canGiveRole(actor, requested)) throw new Refusal('right_not_held')
    const before = await requireChangeableUsers(tx, actor, ids)

    const affected = before.filter((user) => user.roleId !== roleId)
    return changeMany(tx, ctx, {
      actor,
      ids,
      affected,
      action: 'user.role_given',
      async write() {
        await updateUserRows(tx, idsOf(affected), { roleId }, ctx.now())
        const promoted = affected.filter((user) => !holdsAll(user, requested?.rights ?? []))
        await revokeAccessObtainedByOthers(tx, idsOf(promoted), actor.sessionId)
      },
    })
  })
}

/**
 * The users with these ids.
 * @throws {Refusal} `invalid` for an unknown id, `right_not_held` when the actor may not change all of them
 */
async function requireChangeableUsers(tx: Transaction, actor: Actor, ids: number[]): Promise<UserWithRoles[]> {
  const users = await listUsersById(tx, ids)
  if (users.length < ids.length) {
    const existing = new Set(idsOf(users))
    const problems = ids.flatMap((id, index): FieldProblem[] =>
      existing.has(id) ? [] : [{ path: `ids.${index}`, key: 'unknownUser' }],
    )
    throw new Refusal('invalid', { problems: problems.slice(0, 20) })
  }
  if (!users.every((user) => canChangeUser(actor, user))) throw new Refusal('right_not_held')
  return users
}

/** Runs a change of many users, and records it for each user whom it affected. */
async function changeMany(
  tx: Transaction,
  ctx: Context,
  change: {
    actor: Actor
    ids: number[]
    /** The users whom it changes, as they are before it. */
    affected: UserWithRoles[]
    action: 'user.blocked' | 'user.unblocked' | 'user.role_given'
    write(): Promise<void>
  },
): Promise<User[]> {
  await ensureManagerRemains(tx, change.write)
  const users = await listUsersById(tx, change.ids)
  const byId = new Map(users.map((user) => [user.id, user]))
  for (const before of change.affected) {
    const after = byId.get(before.id) as UserWithRoles
    await record(tx, ctx, {
      action: change.action,
      subject: auditSubject(after),
      before: auditedFields(before),
      after: auditedFields(after),
    })
  }
  return users.map((user) => presentUser(user, change.actor))
}

const idsOf = (users: readonly UserWithRoles[]) => users.map((user) => user.id)
