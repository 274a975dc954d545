import { Refusal } from '../../contract/errors.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findCurrentRights } from '../sign-in/session.queries.ts'
import { isRightHeld } from '../sign-in/user-rights.queries.ts'
import { managerRights } from './role.policy.ts'

/**
 * Serializes changes of users, roles and rights across instances, so that each transaction sees the result of the one
 * before, including the actor's own rights. Call it first in the transaction. The same lock is held while a person is erased,
 * and while a message or a page is restored from a backup.
 * @returns the actor with current rights
 * @throws {Refusal} `signed_out`, `not_allowed`
 */
export async function lockUsersAndAuthorize(
  tx: Transaction,
  ctx: Pick<Context, 'actor' | 'dialect'>,
  may: (actor: Actor) => boolean,
): Promise<Actor> {
  await ctx.dialect.lock(tx, 'people')
  const { actor } = ctx
  const rights = actor && (await findCurrentRights(tx, actor))
  if (!rights) throw new Refusal('signed_out')
  return allow({ actor: { ...actor, rights } }, may)
}

/**
 * Runs a change of users or roles, and refuses it when nobody would hold a manager right any more that some active user held.
 * @param tx holds the lock of `lockUsersAndAuthorize`
 * @throws {Refusal} `last_manager`
 */
export async function ensureManagerRemains<T>(tx: Transaction, change: () => Promise<T>): Promise<T> {
  const before = await countHeldManagerRights(tx)
  const result = await change()
  if ((await countHeldManagerRights(tx)) < before) throw new Refusal('last_manager')
  return result
}

/** The number of manager rights that some active user holds. */
async function countHeldManagerRights(tx: Transaction): Promise<number> {
  let held = 0
  for (const right of managerRights) if (await isRightHeld(tx, right)) held++
  return held
}
