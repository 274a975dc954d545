import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { Refusal } from '../contract/errors.ts'
import type { Env } from './api.ts'

/** A second of trust: what was found well is not asked again within it, however many ask. */
const trustMs = 1_000
/** A database that says nothing for so long is not well. */
const answerWithinMs = 2_000

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work, and is not stopping. `/metrics`: for the holder of
 * the token, and for nobody where no token is set.
 */
export function createHealth(parts: {
  /** Rejects when the database does not answer. */
  check: () => Promise<void>
  /** Told why it is not; strangers are not. */
  unwell: (reason: unknown) => void
  stopping: () => boolean
  metrics: () => Promise<{ type: string; text: string }>
  metricsToken: string | undefined
}) {
  const ready = oneAtATime(parts.check, parts.unwell)
  const health = new Hono<Env>()

  health.get('/healthz', (c) => c.text('ok', 200, { 'Cache-Control': 'no-store' }))

  health.get('/readyz', async (c) => {
    const well = !parts.stopping() && (await ready())
    return c.text(well ? 'ready' : 'not ready', well ? 200 : 503, { 'Cache-Control': 'no-store' })
  })

  // For whoever has no token there is nothing here, whatever the method.
  health.use('/metrics', async (c, next) => {
    if (!parts.metricsToken || !sameSecret(c.req.header('authorization'), `Bearer ${parts.metricsToken}`)) {
      throw new Refusal('not_found')
    }
    await next()
  })
  health.get('/metrics', async (c) => {
    const { type, text } = await parts.metrics()
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  })

  for (const path of ['/healthz', '/readyz', '/metrics']) {
    health.all(path, () => {
      throw new Refusal('method_not_allowed', { allow: ['GET', 'HEAD'] })
    })
  }
  return health
}

/** Any number of callers at once share one check, and its outcome for a moment after. A check that hangs is not begun again beside itself. */
function oneAtATime(check: () => Promise<void>, unwell: (reason: unknown) => void): () => Promise<boolean> {
  let checking: Promise<void> | undefined
  let running: Promise<boolean> | undefined
  let found = { well: false, until: 0 }
  return () => {
    if (performance.now() < found.until) return Promise.resolve(found.well)
    checking ??= check().finally(() => {
      checking = undefined
    })
    running ??= within(checking, answerWithinMs)
      .then(
        () => true,
        (reason) => {
          unwell(reason)
          return false
        },
      )
      .then((well) => {
        found = { well, until: performance.now() + trustMs }
        running = undefined
        return well
      })
    return running
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const sameSecret = (given: string | undefined, wanted: string) => timingSafeEqual(digest(given ?? ''), digest(wanted))
