import type { Context } from '../../platform/context.ts'
import { listNewest, type StoredMessage } from './message.queries.ts'

export type { StoredMessage } from './message.queries.ts'

/** The newest messages of one folder, newest first. */
export async function listMessages(
  ctx: Pick<Context, 'db'>,
  input: { folder: 'inbox' | 'spam'; limit: number },
): Promise<StoredMessage[]> {
  return listNewest(ctx.db, input)
}
