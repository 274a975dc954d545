import type { Counter, Histogram, Registry } from 'prom-client'

/** What is counted from the first request on; Prometheus' client itself is loaded when first asked for. */
export interface Metrics {
  request(method: string, status: number, seconds: number): void
  /** A named thing happened: `letter_sent`. */
  event(name: string): void
  /** Prometheus' text format. */
  print(): Promise<{ type: string; text: string }>
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** @param look values that are read when asked for: the answers given from memory by status, letters by state */
export function createMetrics(look: {
  given: () => Record<string, number>
  letters: () => Promise<Record<string, number>>
}): Metrics {
  let loaded:
    | Promise<{ registry: Registry; seconds: Histogram<'method' | 'status'>; events: Counter<'name'> }>
    | undefined
  const load = () => {
    loaded ??= (async () => {
      const prom = await import('prom-client')
      const registry = new prom.Registry()
      prom.collectDefaultMetrics({ register: registry })
      const given = new prom.Gauge({
        name: 'etalage_kept_answers_given',
        help: 'Answers given from memory since the start',
        labelNames: ['status'],
        registers: [registry],
        collect: () => {
          for (const [status, count] of Object.entries(look.given())) given.set({ status }, count)
        },
      })
      const letters = new prom.Gauge({
        name: 'etalage_letters',
        help: 'Letters in the outbox',
        labelNames: ['state'],
        registers: [registry],
        collect: async () => {
          letters.reset()
          // While the database is away the rest is wanted most.
          const counts = await look.letters().catch(() => ({}))
          for (const [state, count] of Object.entries(counts)) letters.set({ state }, count)
        },
      })
      return {
        registry,
        seconds: new prom.Histogram({
          name: 'etalage_request_seconds',
          help: 'Time to answer what was not given from memory',
          labelNames: ['method', 'status'],
          buckets: bounds,
          registers: [registry],
        }),
        events: new prom.Counter({
          name: 'etalage_events_total',
          help: 'What happened, by name',
          labelNames: ['name'],
          registers: [registry],
        }),
      }
    })()
    return loaded
  }

  return {
    request: (method, status, seconds) => void load().then((all) => all.seconds.observe({ method, status }, seconds)),
    event: (name) => void load().then((all) => all.events.inc({ name })),
    async print() {
      const { registry } = await load()
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
