import { dashboard, messagesPerDay, onboardingSetting, views, viewsQuery } from '../contract/dashboard.ts'
import { statistics, statisticsQuery } from '../contract/statistics.ts'
import { getDashboard, setChecklistHidden } from '../domain/dashboard/show-dashboard.ts'
import { countMessagesPerDay } from '../domain/messages/list-messages.ts'
import { getStatistics } from '../domain/views/statistics.ts'
import { getPageViews } from '../domain/views/views.ts'
import { createApi, defineRoute, json, jsonBody, noContent } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

/** `GET /dashboard`, and its figures. */
export const dashboardApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/dashboard', {
        signedIn: true,
        summary: 'The dashboard of the signed-in user',
        description: 'What the user may not see is null. Items that arrived since the previous sign-in count as new.',
        responses: { 200: json(dashboard, 'The dashboard') },
      }),
      async (c) => c.json(await getDashboard(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('put', '/dashboard/start', {
        signedIn: true,
        summary: 'Hide or show your onboarding checklist',
        request: { body: jsonBody(onboardingSetting, 'Whether it is hidden') },
        responses: { 204: { description: 'Stored' } },
      }),
      async (c) => noContent(c, setChecklistHidden(c.var.ctx, c.req.valid('json'))),
    )
    .openapi(
      defineRoute('get', '/dashboard/messages', {
        anyRight: ['messages.read', 'messages.write'],
        summary: 'Messages per day',
        description: 'Counts of the last thirty days, without spam.',
        responses: { 200: json(messagesPerDay, 'One count for each day') },
      }),
      async (c) => c.json(await countMessagesPerDay(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('get', '/dashboard/views', {
        anyRight: ['pages.write', 'config.write'],
        summary: 'Page views',
        description:
          'Daily totals, counted without cookies or addresses. Bots that identify themselves and signed-in users are not counted.',
        request: { query: viewsQuery },
        responses: { 200: json(views, 'The views by day, and of the most viewed pages') },
      }),
      async (c) => c.json(await getPageViews(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/dashboard/statistics', {
        anyRight: ['pages.write', 'config.write'],
        summary: 'Visits, and where they came from',
        description:
          'Daily totals, counted without cookies or addresses. A visit is a page view that does not come from another page of this site. Bots that identify themselves are only counted as `bots`.',
        request: { query: statisticsQuery },
        responses: { 200: json(statistics, 'The statistics of the period, and of the period before it') },
      }),
      async (c) => c.json(await getStatistics(c.var.ctx, c.req.valid('query')), 200),
    )
