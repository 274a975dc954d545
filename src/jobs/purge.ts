import { setImmediate as turn } from 'node:timers/promises'
import { dayMs } from '../contract/limits.ts'
import { purgeMessages } from '../domain/messages/purge-messages.ts'
import { purgeSignIn } from '../domain/sign-in/purge-sign-in.ts'
import { purgeViews } from '../domain/views/purge-views.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { dropOldLetters } from '../platform/mail/outbox.ts'
import type { Transport } from '../platform/mail/transport.ts'

const firstMs = 60_000
const everyMs = 6 * 60 * 60_000
const lettersKeptDays = 30
const batch = 500

type PurgeContext = Omit<Context, 'actor'>

/** Removes what is older than it may be: a minute after the start, and every six hours. */
export function startPurge(parts: { context: () => PurgeContext; transport: Transport; log: Log }): {
  stop(): Promise<void>
} {
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= purge(parts.context(), parts.transport, stopped.signal)
      .then((removed) => {
        if (Object.values(removed).some((count) => count > 0))
          parts.log.info(removed, 'old messages and letters removed')
      })
      .catch((error) => parts.log.error({ err: error }, 'removing what is old failed'))
      .finally(() => {
        running = undefined
      })
  }
  const first = setTimeout(run, firstMs)
  const every = setInterval(run, everyMs)
  first.unref()
  every.unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(every)
      stopped.abort()
      await running
    },
  }
}

/**
 * One round: messages past the configured number of days, letters sent or given up more than thirty days ago, letters kept as files
 * for as long, what belongs to sign-ins that are over, and
 * page views of more than two years ago.
 */
export async function purge(
  ctx: PurgeContext,
  transport: Transport,
  signal?: AbortSignal,
): Promise<{ messages: number; letters: number; files: number; signIn: number; views: number }> {
  const messages = await purgeMessages(ctx, signal ? { signal } : {})
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * dayMs)
  let letters = 0
  for (let dropped = batch; dropped === batch && !signal?.aborted; letters += dropped) {
    dropped = await dropOldLetters(ctx.db, daysAgo(lettersKeptDays), batch)
    await turn()
  }
  // A letter holds its message, so it may not outlive it.
  const files = await transport.drop(daysAgo(Math.min(lettersKeptDays, ctx.site.contact.retentionDays)))
  const signIn = await purgeSignIn(ctx, signal ? { signal } : {})
  const views = await purgeViews(ctx, signal ? { signal } : {})
  if (messages > 0 || letters > 0) await ctx.dialect.forget(ctx.db)
  return { messages, letters, files, signIn, views }
}
