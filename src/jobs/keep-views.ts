import { dayAt } from '../contract/day.ts'
import type { Locale } from '../contract/locales.ts'
import { addViews } from '../domain/views/add-views.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'

const everyMs = 3_000

interface Counted {
  path: string
  locale: Locale
  views: number
}

export interface ViewKeeper {
  /** Stores what was counted until now, and looks no more. */
  stop(): Promise<void>
}

/**
 * Stores every few seconds how often pages were looked at since the last time, under the day on which that time began.
 * @param views what counts in memory
 */
export function startViewKeeper(parts: {
  context: () => Pick<Context, 'transaction' | 'now'>
  log: Log
  views: { take(): Counted[]; giveBack(pages: readonly Counted[]): void }
}): ViewKeeper {
  const { context, log, views } = parts
  let day = dayAt(context().now())
  let storing: Promise<void> | undefined
  let failing = false

  const store = async () => {
    const pages = views.take()
    const counted = day
    day = dayAt(context().now())
    if (pages.length === 0) return
    try {
      await addViews(context(), { day: counted, pages })
      if (failing) log.info('storing page views works again')
      failing = false
    } catch (error) {
      views.giveBack(pages)
      if (!failing) log.error({ err: error }, 'storing page views failed')
      failing = true
    }
  }
  const look = () => {
    storing ??= store().finally(() => {
      storing = undefined
    })
    return storing
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await storing
      await look()
    },
  }
}
