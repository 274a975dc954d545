import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { countUsersSince } from './new-user.queries.ts'
import { canSeeUsers } from './user.policy.ts'

/** How many users were added after an instant. */
export async function countNewUsers(ctx: Context, since: Date): Promise<number> {
  allow(ctx, canSeeUsers)
  return countUsersSince(ctx.db, since)
}
