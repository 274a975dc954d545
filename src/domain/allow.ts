import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { hasRight, type Right } from '../contract/rights.ts'
import type { Actor, Context } from '../platform/context.ts'

/**
 * Returns the signed-in actor when the policy allows the action.
 * @param may a policy, or a list of rights of which one is enough
 * @throws {Refusal} `signed_out`, `not_allowed`
 */
export function allow(ctx: Pick<Context, 'actor'>, may: readonly Right[] | ((actor: Actor) => boolean)): Actor {
  const { actor } = ctx
  if (!actor) throw new Refusal('signed_out')
  if (!(typeof may === 'function' ? may(actor) : hasRight(actor, may))) throw new Refusal('not_allowed')
  return actor
}

/** @throws {Refusal} `password_needed` when the actor confirmed the password more than ten minutes ago */
export function requireConfirmed(ctx: Pick<Context, 'actor' | 'now'>): void {
  const { actor } = ctx
  if (!actor) throw new Refusal('signed_out')
  if (ctx.now().getTime() - actor.confirmedAt.getTime() > limits.confirmedMinutes * 60_000) {
    throw new Refusal('password_needed')
  }
}

/** Whether a change began with another version than the stored one. Without a version it overwrites. */
export const isStale = (input: { version?: number | undefined }, stored: { version: number }): boolean =>
  input.version !== undefined && input.version !== stored.version
