import { nextPlanAt, publishPlanned } from '../domain/pages/publish-planned.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'

/** Between looks: nobody tells this copy what was planned on another. */
const longestWaitMs = 5_000
const shortestWaitMs = 50

export interface PagePublisher {
  stop(): Promise<void>
}

/** Publishes and unpublishes pages at the moments that were planned, and at the start those that were missed. */
export function startPagePublisher(parts: { context: () => Omit<Context, 'actor'>; log: Log }): PagePublisher {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  const wait = (ms: number) => {
    if (stopped) return
    timer = setTimeout(look, ms)
    timer.unref()
  }
  const work = async () => {
    const ctx = parts.context()
    await publishPlanned(ctx)
    const next = await nextPlanAt(ctx)
    const waitMs = next ? next.getTime() - ctx.now().getTime() : longestWaitMs
    wait(Math.min(Math.max(waitMs, shortestWaitMs), longestWaitMs))
  }
  const look = () => {
    looking = work().catch((error) => {
      if (stopped) return
      parts.log.error({ err: error }, 'pages could not be published as planned')
      wait(longestWaitMs)
    })
  }

  look()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
