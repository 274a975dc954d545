import { purgeMessages } from '../domain/messages/purge-messages.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { dropSentLetters } from '../platform/mail/outbox.ts'

const firstMs = 60_000
const everyMs = 6 * 60 * 60_000
const sentLettersKeptMs = 30 * 24 * 60 * 60_000
const batch = 500

type PurgeContext = Omit<Context, 'actor'>

/** Removes what is older than it may be: a minute after the start, and every six hours. */
export function startPurge(parts: { context: () => PurgeContext; log: Log }): { stop(): Promise<void> } {
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= purge(parts.context(), stopped.signal)
      .then((removed) => {
        if (removed.messages + removed.letters > 0) parts.log.info(removed, 'old messages and letters removed')
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

/** One round: messages past the configured number of days, and letters sent more than thirty days ago. */
export async function purge(ctx: PurgeContext, signal?: AbortSignal): Promise<{ messages: number; letters: number }> {
  const messages = await purgeMessages(ctx, signal ? { signal } : {})
  const before = new Date(ctx.now().getTime() - sentLettersKeptMs)
  let letters = 0
  for (let dropped = batch; dropped === batch && !signal?.aborted; letters += dropped) {
    dropped = await dropSentLetters(ctx.db, before, batch)
  }
  return { messages, letters }
}
