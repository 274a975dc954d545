import { createRoute } from '@hono/zod-openapi'
import { dashboard, messagesPerDay, views, viewsQuery } from '../contract/dashboard.ts'
import { showDashboard } from '../domain/dashboard/show-dashboard.ts'
import { countMessagesPerDay } from '../domain/messages/count-messages-per-day.ts'
import { showViews } from '../domain/views/show-views.ts'
import { createApi, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

/** `GET /dashboard`, and the figures that stand on it. */
export const dashboardApi = () =>
  createApi()
    .openapi(
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
    .openapi(
      createRoute({
        method: 'get',
        path: '/dashboard/messages',
        rights: ['messages.read', 'messages.write'],
        summary: 'Messages per day',
        description: 'Of the last thirty days, spam left out.',
        responses: { 200: json(messagesPerDay, 'One count for each day') },
      }),
      async (c) => c.json(await countMessagesPerDay(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/dashboard/views',
        rights: ['pages.write', 'config.write'],
        summary: 'Page views',
        description:
          'Daily totals, counted without cookies or addresses. Programs that say what they are, and who is signed in, are not counted.',
        request: { query: viewsQuery },
        responses: { 200: json(views, 'Per day, and of the pages that were looked at most') },
      }),
      async (c) => c.json(await showViews(c.var.ctx, c.req.valid('query')), 200),
    )
