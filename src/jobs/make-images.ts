import { nextImageDueAt, resizeNextImage } from '../domain/files/resize-images.ts'
import { collectGarbage } from '../domain/files/store-blob.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, pollInterval, startPoller } from '../platform/poller.ts'

const collectIntervalMs = 10 * 60_000

/**
 * Resizes uploaded images, and collects garbage in the storage every ten minutes. A separate poller makes the first
 * width of large photos, so that these need not wait until others are ready in all widths. `stop` aborts the current
 * image, which another process resizes later.
 */
export function startImageJob(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  let collectedAt = Number.NEGATIVE_INFINITY
  const allWidths = startPoller({
    task: 'resizing images',
    log: options.log,
    async run(stopping) {
      const ctx = options.context()
      if (performance.now() - collectedAt > collectIntervalMs) {
        collectedAt = performance.now()
        await ctx.uploads.temporaryFiles.removeLeftovers(ctx.now())
        await collectGarbage(ctx)
      }
      while (!stopping.aborted && (await resizeNextImage(options.context(), 'all widths', stopping)));
      return pollInterval(await nextImageDueAt(ctx, 'all widths'), ctx.now())
    },
  })
  const firstWidth = startPoller({
    task: 'resizing images to a first width',
    log: options.log,
    async run(stopping) {
      const ctx = options.context()
      while (!stopping.aborted && (await resizeNextImage(options.context(), 'first width', stopping))) allWidths.wake()
      return pollInterval(await nextImageDueAt(ctx, 'first width'), ctx.now())
    },
  })
  return {
    wake() {
      firstWidth.wake()
      allWidths.wake()
    },
    async stop() {
      const stopped = Promise.all([firstWidth.stop(), allWidths.stop()])
      options.context().uploads.imageWorker.stop()
      await stopped
    },
  }
}
