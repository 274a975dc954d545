import { createRoute } from '@hono/zod-openapi'
import { dashboard } from '../contract/dashboard.ts'
import { showDashboard } from '../domain/dashboard/show-dashboard.ts'
import { createApi, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

/** `GET /dashboard`. */
export const dashboardApi = () =>
  createApi().openapi(
    createRoute({
      method: 'get',
      path: '/dashboard',
      rights: [],
      summary: 'What you may do, and what is new',
      description: 'Of what you may see; the rest is null. New is what came after the visit before this one.',
      responses: { 200: json(dashboard, 'For the one who asks') },
    }),
    async (c) => c.json(await showDashboard(c.var.ctx, requestLocale(c.req.raw)), 200),
  )
