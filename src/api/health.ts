import { health, healthAlarms, healthProblems, healthQuery, newHealthAlarms } from '../contract/health.ts'
import { changeHealthAlarms, getHealthAlarms } from '../domain/health/alarms.ts'
import { getHealth, type HealthMonitor } from '../domain/health/health.ts'
import { getHealthProblems } from '../domain/health/problems.ts'
import { createApi, defineRoute, json, jsonBody, staleResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

export interface HealthParts {
  monitor: HealthMonitor
}

/** The minimum interval of fresh check runs in this process, because they sign in to the mail server and query the DNS. */
const freshApartMs = 60_000

/** `/health`: the results of the health checks, for people; `/healthz` and `/readyz` are for monitoring. */
export const healthApi = ({ monitor }: HealthParts) => {
  let freshAt = Number.NEGATIVE_INFINITY
  return createApi()
    .openapi(
      defineRoute('get', '/health', {
        rights: ['config.write'],
        summary: 'Whether all is well',
        description:
          'Every check of the program on itself, with what to do where something is wrong. Results of the last minutes are reused; `fresh` checks everything anew, at most once a minute for each process.',
        request: { query: healthQuery },
        responses: { 200: json(health, 'One line for each check') },
      }),
      async (c) => {
        const { ctx } = c.var
        const now = ctx.now().getTime()
        const fresh = c.req.valid('query').fresh === 'yes' && Math.abs(now - freshAt) >= freshApartMs
        const found = await getHealth(ctx, monitor, { locale: requestLocale(c.req.raw), fresh })
        if (fresh) freshAt = now
        return c.json(found, 200)
      },
    )
    .openapi(
      defineRoute('get', '/health/problems', {
        rights: [],
        summary: 'Problems found by the last check run',
        description: 'Stored by the last check run of any instance; this request runs no checks.',
        responses: { 200: json(healthProblems, 'For the signed-in user') },
      }),
      async (c) => c.json(await getHealthProblems(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('get', '/health/alarms', {
        rights: ['config.write'],
        summary: 'Who gets alerts',
        responses: { 200: json(healthAlarms, 'People who may get alerts, and the webhook') },
      }),
      async (c) => c.json(await getHealthAlarms(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/health/alarms', {
        rights: ['config.write'],
        summary: 'Change who gets alerts',
        description: 'An alert is sent once when a check failed in two runs, and once when it passes again.',
        request: { body: jsonBody(newHealthAlarms, 'People and webhook') },
        responses: { 200: json(healthAlarms, 'As stored'), 409: staleResponse },
      }),
      async (c) => c.json(await changeHealthAlarms(c.var.ctx, c.req.valid('json')), 200),
    )
}
