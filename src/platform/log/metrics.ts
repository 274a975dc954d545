import type { Counter, Histogram, Registry } from 'prom-client'
import { lazy } from '../lazy.ts'
import type { Log } from './log.ts'

/** The metrics of a site with a token for `/metrics`. The first counted request loads the Prometheus client. */
interface Metrics {
  observeRequest(method: string, status: number, seconds: number): void
  /** Counts a named event, such as `email_sent`. */
  countEvent(name: string): void
  /** The metrics in the text format of Prometheus, with its media type. */
  render(): Promise<{ type: string; text: string }>
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface LoadedMetrics {
  registry: Registry
  seconds: Histogram<'method' | 'status'>
  events: Counter<'name'>
}

export function createMetrics(sources: {
  log: Log
  /** The cache hits by HTTP status, 200 or 304. */
  pageCacheHits: () => Record<string, number>
  /** The number of emails by state. */
  emails: () => Promise<Record<string, number>>
  /** The results of the last health check run. */
  health: () => readonly { check: string; outcome: string }[]
}): Metrics {
  const load = lazy(async (): Promise<LoadedMetrics> => {
    const prom = await import('prom-client')
    const registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: registry })
    const hits = new prom.Gauge({
      name: 'etalage_page_cache_hits',
      help: 'Responses from the page cache since the start',
      labelNames: ['status'],
      registers: [registry],
      collect: () => {
        for (const [status, count] of Object.entries(sources.pageCacheHits())) hits.set({ status }, count)
      },
    })
    const emails = new prom.Gauge({
      name: 'etalage_emails',
      help: 'Number of emails in the outbox, by state',
      labelNames: ['state'],
      registers: [registry],
      collect: async () => {
        emails.reset()
        // The other metrics must work while the database is unavailable: then they are needed most.
        const counts = await sources.emails().catch(() => ({}))
        for (const [state, count] of Object.entries(counts)) emails.set({ state }, count)
      },
    })
    const health = new prom.Gauge({
      name: 'etalage_health',
      help: '1 for the current outcome of each health check',
      labelNames: ['check', 'outcome'],
      registers: [registry],
      collect: () => {
        health.reset()
        for (const { check, outcome } of sources.health()) health.set({ check, outcome }, 1)
      },
    })
    return {
      registry,
      seconds: new prom.Histogram({
        name: 'etalage_request_seconds',
        help: 'Duration of requests in seconds, without page cache hits',
        labelNames: ['method', 'status'],
        buckets: durationBuckets,
        registers: [registry],
      }),
      events: new prom.Counter({
        name: 'etalage_events_total',
        help: 'Number of events since the start, by name',
        labelNames: ['name'],
        registers: [registry],
      }),
    }
  })
  let isFailureLogged = false
  /** If the Prometheus client cannot be loaded, nothing is counted, and the next call tries to load it again. */
  const count = (add: (metrics: LoadedMetrics) => void) =>
    void load()
      .then(add)
      .catch((error) => {
        if (!isFailureLogged) sources.log.error({ err: error }, 'metrics are not counted')
        isFailureLogged = true
      })

  return {
    observeRequest: (method, status, seconds) =>
      count((metrics) => metrics.seconds.observe({ method, status }, seconds)),
    countEvent: (name) => count((metrics) => metrics.events.inc({ name })),
    async render() {
      const { registry } = await load()
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
