import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { upsertPassword } from './account.queries.ts'

/**
 * Gives a user a password. `endSessions` goes with it, except for who is new.
 * @param hash of `hashPassword`, made before the transaction began
 */
export async function setPassword(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  userId: number,
  hash: string,
): Promise<void> {
  await upsertPassword(tx, userId, hash, ctx.now())
}
