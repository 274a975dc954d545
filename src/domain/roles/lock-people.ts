import { Refusal } from '../../contract/errors.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findRightsNow } from './role.queries.ts'

/**
 * Stands first in every transaction that changes who may do what: one of them runs at a time, on every copy of the
 * program, and each sees what the one before it left, also of the rights of who asks.
 * @returns who asks, with their rights of this moment
 * @throws {Refusal} `signed_out`, `not_allowed`
 */
export async function lockPeople(
  tx: Transaction,
  ctx: Pick<Context, 'actor' | 'dialect'>,
  may: (actor: Actor) => boolean,
): Promise<Actor> {
  await ctx.dialect.lock(tx, 'people')
  const { actor } = ctx
  const rights = actor && (await findRightsNow(tx, actor))
  if (!rights) throw new Refusal('signed_out')
  return allow({ actor: { ...actor, rights } }, may)
}
