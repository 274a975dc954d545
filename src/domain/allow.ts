import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { hasRight, type Right } from '../contract/rights.ts'
import type { Actor, Context } from '../platform/context.ts'

/**
 * Lets through who is signed in and whom the policy allows.
 * @param may a policy, or the rights of which one is enough
 * @throws {Refusal} `signed_out`, `not_allowed`
 */
export function allow(ctx: Pick<Context, 'actor'>, may: readonly Right[] | ((actor: Actor) => boolean)): Actor {
  const { actor } = ctx
  if (!actor) throw new Refusal('signed_out')
  if (!(typeof may === 'function' ? may(actor) : hasRight(actor, may))) throw new Refusal('not_allowed')
  return actor
}

/** @throws {Refusal} `password_needed` when the actor gave it longer than ten minutes ago */
export function requireConfirmed(ctx: Pick<Context, 'actor' | 'now'>): void {
  const { actor } = ctx
  if (!actor) throw new Refusal('signed_out')
  if (ctx.now().getTime() - actor.confirmedAt.getTime() > limits.confirmedMinutes * 60_000) {
    throw new Refusal('password_needed')
  }
}
