import { nextImageDueAt, resizeNextImage } from '../domain/files/resize-images.ts'
import { collectGarbage } from '../domain/files/store-blob.ts'
import type { Context } from '../platform/context.ts'
import type { Log } from '../platform/log/log.ts'
import { type Poller, pollInterval, startPoller } from './poller.ts'

const collectEveryMs = 10 * 60_000

/**
 * Resizes uploaded images one at a time, and regularly collects garbage in the storage. A stop aborts the running
 * resize, which another process starts again.
 */
export function startImageJob(options: { context: () => Omit<Context, 'actor'>; log: Log }): Poller {
  let collectedAt = Number.NEGATIVE_INFINITY
  const poller = startPoller({
    task: 'resizing images',
    log: options.log,
    async run(stopping) {
      const ctx = options.context()
      if (performance.now() - collectedAt > collectEveryMs) {
        collectedAt = performance.now()
        await ctx.uploads.temporaryFiles.removeLeftovers(ctx.now())
        await collectGarbage(ctx)
      }
      let more = true
      while (more && !stopping.aborted) more = await resizeNextImage(options.context(), stopping)
      return pollInterval(await nextImageDueAt(ctx), ctx.now())
    },
  })
  return {
    ...poller,
    async stop() {
      const stopped = poller.stop()
      options.context().uploads.imageWorker.stop()
      await stopped
    },
  }
}
