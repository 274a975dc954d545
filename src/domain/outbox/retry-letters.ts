import type { Context } from '../../platform/context.ts'
import { retryLetters as retry } from '../../platform/mail/outbox-letters.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'

type RetryContext = Pick<Context, 'now' | 'transaction' | 'signal'> & Partial<Pick<Context, 'actor'>>

/**
 * Sends letters at once that were given up, or that have long to wait for their next try.
 * @param ids left out: all that were given up
 * @returns how many; one that is sent, or on its way, is left alone
 */
export async function retryLetters(ctx: Context, ids?: number[]): Promise<number> {
  allow(ctx, ['mail.read'])
  return retryNow(ctx, ids)
}

/** The same for the one who runs the program. */
export async function retryNow(ctx: RetryContext, ids?: number[]): Promise<number> {
  const due = await ctx.transaction(async (tx) => {
    const found = await retry(tx, ids, ctx.now())
    const [one, ...others] = found
    if (one !== undefined) {
      const subject = others.length > 0 ? { type: 'letters', name: '' } : { type: 'letter', id: one, name: `#${one}` }
      await record(
        tx,
        { now: ctx.now, actor: ctx.actor },
        { action: 'letters.retried', subject, after: { letters: found.length } },
      )
    }
    return found
  })
  ctx.signal.letter()
  return due.length
}
