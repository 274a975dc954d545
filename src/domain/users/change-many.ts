import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { User } from '../../contract/users.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { keepAManager } from '../roles/keep-a-manager.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { endSessions } from '../sign-in/end-sessions.ts'
import { wantedRole } from './create-user.ts'
import { usersInOrder } from './find-users.ts'
import { auditedUser, type RoledUser, shownUser, subjectOf } from './show-users.ts'
import { canBlockUser, canChangeUser, canGiveRole, canWriteUsers } from './user.policy.ts'
import { updateUserRows } from './user.queries.ts'
import { aboutUser } from './user-letter.ts'

/**
 * Blocks users, or lets them in again: all of them or, when one may not be, none. Who is blocked is out at once.
 * @returns all of them as they are now
 * @throws {Refusal} `right_not_held`, `own_account`, `last_manager`, `invalid` for an id that nobody has
 */
export async function blockUsers(ctx: Context, input: { ids: number[]; blocked: boolean }): Promise<User[]> {
  const { ids, blocked } = input
  allow(ctx, canWriteUsers)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const before = await changeable(tx, actor, ids)
    if (blocked && !before.every((user) => canBlockUser(actor, user))) throw new Refusal('own_account')

    const changed = before.filter((user) => user.blocked !== blocked)
    return changeMany(tx, ctx, {
      actor,
      ids,
      changed,
      action: blocked ? 'user.blocked' : 'user.unblocked',
      async write() {
        await updateUserRows(tx, idsOf(changed), { blocked }, ctx.now())
        if (!blocked) return
        await endSessions(tx, idsOf(changed))
        await dropLetters(tx, idsOf(changed).map(aboutUser))
      },
    })
  })
}

/**
 * Gives users a role for work, or takes theirs away: all of them or none.
 * @param input.roleId null takes it away
 * @throws {Refusal} `right_not_held`, `password_needed`, `last_manager`, `invalid` for an id that nobody has
 */
export async function giveRole(ctx: Context, input: { ids: number[]; roleId: number | null }): Promise<User[]> {
  const { ids, roleId } = input
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const { wanted } = await wantedRole(tx, roleId, 'roleId')
    if (wanted && !canGiveRole(actor, wanted)) throw new Refusal('right_not_held')
    const before = await changeable(tx, actor, ids)

    const changed = before.filter((user) => user.roleId !== roleId)
    return changeMany(tx, ctx, {
      actor,
      ids,
      changed,
      action: 'user.role_given',
      write: () => updateUserRows(tx, idsOf(changed), { roleId }, ctx.now()),
    })
  })
}

/** The users with these ids, when the actor may change each of them. */
async function changeable(tx: Transaction, actor: Actor, ids: number[]): Promise<RoledUser[]> {
  const users = await usersInOrder(tx, ids)
  if (users.length < ids.length) {
    const known = new Set(idsOf(users))
    const problems = ids.flatMap((id, index): FieldProblem[] =>
      known.has(id) ? [] : [{ path: `ids.${index}`, key: 'unknownUser' }],
    )
    throw new Refusal('invalid', { problems: problems.slice(0, 20) })
  }
  if (!users.every((user) => canChangeUser(actor, user))) throw new Refusal('right_not_held')
  return users
}

async function changeMany(
  tx: Transaction,
  ctx: Context,
  change: {
    actor: Actor
    ids: number[]
    changed: RoledUser[]
    action: 'user.blocked' | 'user.unblocked' | 'user.role_given'
    write(): Promise<void>
  },
): Promise<User[]> {
  await keepAManager(tx, change.write)
  const now = await usersInOrder(tx, change.ids)
  const byId = new Map(now.map((user) => [user.id, user]))
  for (const before of change.changed) {
    const after = byId.get(before.id) as RoledUser
    await record(tx, ctx, {
      action: change.action,
      subject: subjectOf(after),
      before: auditedUser(before),
      after: auditedUser(after),
    })
  }
  return now.map((user) => shownUser(user, change.actor))
}

const idsOf = (users: readonly RoledUser[]) => users.map((user) => user.id)
