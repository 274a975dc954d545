import type { Context } from '../../platform/context.ts'
import { type FoundSession, findSession } from './session.queries.ts'

/** Who sends a session's token, if anybody does. */
export async function findActor(
  ctx: Pick<Context, 'db' | 'now'>,
  token: string | undefined,
): Promise<FoundSession | undefined> {
  return token === undefined ? undefined : findSession(ctx.db, token, ctx.now())
}
