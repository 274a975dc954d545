import { health, healthAlarms, healthProblems, healthQuery, newHealthAlarms } from '../contract/health.ts'
import { changeHealthAlarms, getHealthAlarms } from '../domain/health/alarms.ts'
import { getHealth, type HealthMonitor } from '../domain/health/health.ts'
import { getHealthProblems } from '../domain/health/problems.ts'
import { createApi, defineRoute, json, jsonBody, staleResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

export interface HealthDependencies {
  monitor: HealthMonitor
}

/** The minimum time between two `fresh` runs of this process, which sign in to the mail server and query the DNS. */
const minRunIntervalMs = 60_000

/** `/health`: the results of the health checks, for people; `/healthz` and `/readyz` are for monitoring. */
export const healthApi = ({ monitor }: HealthDependencies) => {
  let lastRunAt = Number.NEGATIVE_INFINITY
  return createApi()
    .openapi(
      defineRoute('get', '/health', {
        anyRight: ['config.write'],
        summary: 'The results of the health checks',
        description:
          'Each result says what to do if something is wrong. Results of the last minutes are reused; `fresh` runs every check again, at most once a minute in each process.',
        request: { query: healthQuery },
        responses: { 200: json(health, 'One result for each check') },
      }),
      async (c) => {
        const { ctx } = c.var
        const now = ctx.now().getTime()
        const fresh = c.req.valid('query').fresh === 'yes' && Math.abs(now - lastRunAt) >= minRunIntervalMs
        const result = await getHealth(ctx, monitor, { locale: requestLocale(c.req.raw), fresh })
        if (fresh) lastRunAt = now
        return c.json(result, 200)
      },
    )
    .openapi(
      defineRoute('get', '/health/problems', {
        signedIn: true,
        summary: 'Problems found by the last check run',
        description: 'Stored by the last check run of any instance; this request runs no checks.',
        responses: { 200: json(healthProblems, 'The problems that the signed-in user may see') },
      }),
      async (c) => c.json(await getHealthProblems(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('get', '/health/alarms', {
        anyRight: ['config.write'],
        summary: 'Who gets alerts',
        responses: { 200: json(healthAlarms, 'People who may get alerts, and the webhook') },
      }),
      async (c) => c.json(await getHealthAlarms(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/health/alarms', {
        anyRight: ['config.write'],
        summary: 'Change who gets alerts',
        description: 'An alert is sent once when a check failed in two runs, and once when it passes again.',
        request: { body: jsonBody(newHealthAlarms, 'People and webhook') },
        responses: { 200: json(healthAlarms, 'As stored'), 409: staleResponse },
      }),
      async (c) => c.json(await changeHealthAlarms(c.var.ctx, c.req.valid('json')), 200),
    )
}
