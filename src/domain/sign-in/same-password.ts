import type { Context } from '../../platform/context.ts'
import { findPasswordOf, holdPasswordHash } from './account.queries.ts'
import { deleteSession, deleteWaitingOf } from './session.queries.ts'

export type HeldPassword = { userId: number; hash: string | null } | undefined

/** The password of an address before a sign-in begins; see `keepIfSame`. */
export const passwordBefore = (ctx: Pick<Context, 'db'>, email: string): Promise<HeldPassword> =>
  findPasswordOf(ctx.db, email)

/**
 * Ends what a sign-in made when the password was changed while it was under way: the change ended the sessions that it
 * saw, and this one came after.
 * @returns whether the sign-in stands
 */
export async function keepIfSame(
  ctx: Pick<Context, 'transaction'>,
  before: HeldPassword,
  token: string | undefined,
): Promise<boolean> {
  if (!before) return true
  return ctx.transaction(async (tx) => {
    if ((await holdPasswordHash(tx, before.userId)) === (before.hash ?? undefined)) return true
    if (token) await deleteSession(tx, token)
    await deleteWaitingOf(tx, [before.userId])
    return false
  })
}
