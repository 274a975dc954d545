import type { Context } from '../../platform/context.ts'
import { type Place, rememberPlace } from './limit-attempts.ts'
import { deleteSession } from './session.queries.ts'
import { updateLastSignedIn } from './user.queries.ts'

/** What every way to sign in ends with: the place is known from now on, and the session that the browser had is over. */
export async function noteSignIn(
  ctx: Pick<Context, 'now' | 'secret' | 'transaction'>,
  input: { user: { id: number; email: string }; place: Place; tokenBefore: string | undefined },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await updateLastSignedIn(tx, input.user.id, ctx.now())
    await rememberPlace(tx, ctx, input.user.email, input.place)
    if (input.tokenBefore) await deleteSession(tx, input.tokenBefore)
  })
}

/** Ends the session with this token, where a sign-in still waits for its second step. */
export async function endSession(ctx: Pick<Context, 'transaction'>, token: string): Promise<void> {
  await ctx.transaction((tx) => deleteSession(tx, token))
}
