import { Refusal } from '../../contract/errors.ts'
import type { ChangedUser, User } from '../../contract/users.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { keepAManager } from '../roles/keep-a-manager.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { endSessions } from '../sign-in/end-sessions.ts'
import { removeOtherWays } from '../sign-in/remove-other-ways.ts'
import { setPassword } from '../sign-in/set-password.ts'
import { emailTaken, wantedRole } from './create-user.ts'
import { findRoledUser } from './find-users.ts'
import { auditedUser, type RoledUser, shownUser, subjectOf } from './show-users.ts'
import { canBlockUser, canChangeUser, canGiveRole, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail, updateUserRow, type WrittenUser } from './user.queries.ts'
import { aboutUser } from './user-letter.ts'

/**
 * Changes a user. Who is blocked, or gets another password or address, is out in every browser at once; the one who
 * changes themselves stays in the one they use.
 * @throws {Refusal} `not_found`, `right_not_held`, `stale`, `own_account`, `last_manager`, `invalid` for an address that
 *   is taken; `password_needed` for another role, address or password
 */
export async function updateUser(ctx: Context, id: number, input: ChangedUser): Promise<User> {
  allow(ctx, canWriteUsers)
  const hash = input.password === undefined ? undefined : await hashPassword(input.password)

  return ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const before = await findRoledUser(tx, id)
    if (!canChangeUser(actor, before)) throw new Refusal('right_not_held')
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale', { current: shownUser(before, actor) })
    }
    const written = await judged(tx, { actor, before, input })
    const outside = written.email !== before.email || hash !== undefined
    if (outside || written.roleId !== before.roleId) requireConfirmed(ctx)

    await keepAManager(tx, () => write(tx, ctx, id, written))
    if (hash !== undefined) await setPassword(tx, ctx, id, hash)
    if (outside || (written.blocked && !before.blocked)) {
      await endSessions(tx, [id], id === actor.id ? actor.sessionId : undefined)
    }
    const moved = written.email !== before.email
    // A letter that waits would go to the address that was a mistake, or let in who is blocked.
    if (moved || written.blocked) await dropLetters(tx, [aboutUser(id)])
    // Whoever had the address that was a mistake may have come in by it.
    const waysRemoved = moved && id !== actor.id ? await removeOtherWays(tx, id) : 0

    const after = await findRoledUser(tx, id)
    await record(tx, ctx, {
      action: 'user.updated',
      subject: subjectOf(after),
      before: auditedUser(before),
      after: {
        ...auditedUser(after),
        ...(hash !== undefined && { passwordSet: true }),
        ...(waysRemoved > 0 && { waysRemoved }),
      },
    })
    return shownUser(after, actor)
  })
}

/** What is to be written, when all of it may be. */
async function judged(
  tx: Transaction,
  asked: { actor: Actor; before: RoledUser; input: ChangedUser },
): Promise<WrittenUser> {
  const { actor, before, input } = asked
  const { wanted } = await wantedRole(tx, input.user_role?.set[0], 'user_role.set.0')
  if (wanted && !canGiveRole(actor, wanted)) throw new Refusal('right_not_held')
  const blocked = input.blocked ?? before.blocked
  if (blocked && !before.blocked && !canBlockUser(actor, before)) throw new Refusal('own_account')
  if (input.email !== before.email && (await findUserRowByEmail(tx, input.email))) throw emailTaken()
  return {
    email: input.email,
    name: input.name ?? before.name,
    blocked,
    roleId: wanted?.id ?? null,
    locale: input.locale ?? before.locale,
  }
}

/** Somebody may have taken the address by another way since it was looked for. */
async function write(tx: Transaction, ctx: Context, id: number, written: WrittenUser): Promise<void> {
  try {
    await updateUserRow(tx, id, written, ctx.now())
  } catch (error) {
    throw ctx.dialect.isTaken(error) ? emailTaken() : error
  }
}
