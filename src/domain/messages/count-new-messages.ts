import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { countMessagesSince } from './message.queries.ts'

/** How many messages came in after an instant, spam left out. */
export async function countNewMessages(ctx: Context, since: Date): Promise<number> {
  allow(ctx, ['messages.read', 'messages.write'])
  return countMessagesSince(ctx.db, since)
}
