import { Hono } from 'hono'
import { Refusal } from '../contract/errors.ts'
import { isEqualTimingSafe } from '../platform/signature.ts'
import { withTimeout } from '../platform/with-timeout.ts'
import type { Env } from './api.ts'

/** The result of a check is reused for this time, however many requests there are. */
const cacheMs = 1_000
/** A database that does not answer within this time is unhealthy. */
const checkTimeoutMs = 2_000

/**
 * The routes for monitoring. `/healthz`: the process answers. `/readyz`: it has started, the database works, and it is
 * not stopping. `/metrics`: requires a bearer token; 404 where none is configured.
 */
export function healthRoutes(options: {
  /** Rejects when the database does not answer. */
  checkDependencies: () => Promise<void>
  /** Called with the reason, which the response does not contain. */
  onUnhealthy: (reason: unknown) => void
  /** False during the start and while stopping. */
  acceptsWork: () => boolean
  metrics: () => Promise<{ type: string; text: string }>
  metricsToken: string | undefined
}) {
  const { metricsToken } = options
  const isHealthy = cachedCheck(options.checkDependencies, options.onUnhealthy)
  const health = new Hono<Env>()

  health.get('/healthz', (c) => c.text('ok', 200, { 'Cache-Control': 'no-store' }))

  health.get('/readyz', async (c) => {
    const isReady = options.acceptsWork() && (await isHealthy())
    return c.text(isReady ? 'ready' : 'not ready', isReady ? 200 : 503, { 'Cache-Control': 'no-store' })
  })

  // Without the token, the response to every method is 404.
  health.use('/metrics', async (c, next) => {
    if (!metricsToken || !isEqualTimingSafe(c.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new Refusal('not_found')
    }
    await next()
  })
  health.get('/metrics', async (c) => {
    const { type, text } = await options.metrics()
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  })

  for (const path of ['/healthz', '/readyz', '/metrics']) {
    health.all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }
  return health
}

/**
 * Concurrent callers share one check, and its result for a second. A check that times out is abandoned; the next call
 * starts a new one.
 */
function cachedCheck(check: () => Promise<void>, onUnhealthy: (reason: unknown) => void): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  let last = { healthy: false, until: 0 }
  const run = async () => {
    const healthy = await withTimeout(check(), checkTimeoutMs).then(
      () => true,
      (reason) => {
        onUnhealthy(reason)
        return false
      },
    )
    last = { healthy, until: performance.now() + cacheMs }
    running = undefined
    return healthy
  }
  return () => {
    if (performance.now() < last.until) return Promise.resolve(last.healthy)
    running ??= run()
    return running
  }
}
