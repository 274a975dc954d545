import { setImmediate as turn } from 'node:timers/promises'
import { dayMs } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { deleteMessages, listMessagesBefore } from './message.queries.ts'
import { aboutMessage } from './message-letter.ts'

/** Messages in one transaction: few enough that nobody who sends one meanwhile has to wait. */
const batch = 200

/** Removes the messages that are older than the privacy statement promises, with their letters. @returns how many */
export async function purgeMessages(
  ctx: Pick<Context, 'transaction' | 'now' | 'site'>,
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  const before = new Date(ctx.now().getTime() - ctx.site.contact.retentionDays * dayMs)
  let removed = 0
  while (!input.signal?.aborted) {
    const ids = await ctx.transaction(async (tx) => {
      const found = await listMessagesBefore(tx, before, batch)
      if (found.length > 0) {
        await dropLetters(tx, found.map(aboutMessage))
        await deleteMessages(tx, found)
      }
      return found
    })
    removed += ids.length
    if (ids.length < batch) break
    // SQLite answers at once, so nobody else would get a turn.
    await turn()
  }
  return removed
}
