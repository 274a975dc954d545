import { health, healthQuery } from '../contract/health.ts'
import { getHealth, type HealthMonitor } from '../domain/health/health.ts'
import { createApi, createRoute, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

export interface HealthParts {
  monitor?: HealthMonitor | undefined
}

const nothing: HealthMonitor = { look: async () => [], last: () => [] }

/** `/health`: whether all is well, for people; `/healthz` and `/readyz` are for programs. */
export const healthApi = ({ monitor = nothing }: HealthParts = {}) =>
  createApi().openapi(
    createRoute({
      method: 'get',
      path: '/health',
      rights: ['config.write'],
      summary: 'Whether all is well',
      description:
        'Every check of the program on itself, with what to do where something is wrong. Results of the last minutes are reused.',
      request: { query: healthQuery },
      responses: { 200: json(health, 'One line for each check') },
    }),
    async (c) => {
      const fresh = c.req.valid('query').fresh === 'yes'
      return c.json(await getHealth(c.var.ctx, monitor, { locale: requestLocale(c.req.raw), fresh }), 200)
    },
  )
