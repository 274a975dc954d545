import { makePictures } from '../domain/files/make-pictures.ts'
import { nextPictureAt } from '../domain/files/next-picture.ts'
import { sweepFiles } from '../domain/files/sweep-files.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'

/** Between looks, when nothing will be due soon. */
const longestWaitMs = 5_000
const soonMs = 1_000
const sweepEveryMs = 10 * 60_000

export interface PictureWorker {
  /** A picture was uploaded: look now. */
  wake(): void
  /** Ends the drawing that is under way and gives its picture back. */
  stop(): Promise<void>
}

/** Makes the widths of pictures, one picture after the other, and sweeps the storage now and then. */
export function startPictureWorker(parts: { context: () => Omit<Context, 'actor'>; log: Log }): PictureWorker {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let again = false
  let sweptAt = Number.NEGATIVE_INFINITY

  const work = async () => {
    const ctx = parts.context()
    if (performance.now() - sweptAt > sweepEveryMs) {
      sweptAt = performance.now()
      await ctx.uploads.arrivals.sweep(ctx.now())
      await sweepFiles(ctx)
    }
    while (!stopping.signal.aborted && (await makePictures(parts.context(), stopping.signal))) again = false
  }
  /** Nobody else wakes this copy for a picture of another copy, or for one that waits for its next try. */
  const pause = async () => {
    const { db, now } = parts.context()
    const next = await nextPictureAt(db)
    return next && next.getTime() - now().getTime() < longestWaitMs ? soonMs : longestWaitMs
  }
  const look = () => {
    if (stopping.signal.aborted) return
    if (looking) {
      again = true
      return
    }
    clearTimeout(timer)
    looking = (async () => {
      do {
        again = false
        await work()
      } while (again && !stopping.signal.aborted)
      const wait = await pause()
      if (!stopping.signal.aborted) timer = setTimeout(look, wait)
    })()
      .catch((error) => {
        if (stopping.signal.aborted) return
        parts.log.error({ err: error }, 'pictures could not be made')
        timer = setTimeout(look, longestWaitMs)
      })
      .finally(() => {
        looking = undefined
        if (again) look()
      })
  }

  look()
  return {
    wake: look,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      parts.context().uploads.workshop.stop()
      await looking
    },
  }
}
