import { dashboard, messagesPerDay, startListSetting, views, viewsQuery } from '../contract/dashboard.ts'
import { statistics, statisticsQuery } from '../contract/statistics.ts'
import { getDashboard, setStartListHidden } from '../domain/dashboard/show-dashboard.ts'
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
        rights: [],
        summary: 'What the signed-in user may do, and what is new',
        description: 'What the user may not see is null. New is what arrived since the previous sign-in.',
        responses: { 200: json(dashboard, 'For the signed-in user') },
      }),
      async (c) => c.json(await getDashboard(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('put', '/dashboard/start', {
        rights: [],
        summary: 'Put your list of first steps away, or show it again',
        request: { body: jsonBody(startListSetting, 'Whether it is put away') },
        responses: { 204: { description: 'Stored' } },
      }),
      async (c) => noContent(c, setStartListHidden(c.var.ctx, c.req.valid('json'))),
    )
    .openapi(
      defineRoute('get', '/dashboard/messages', {
        rights: ['messages.read', 'messages.write'],
        summary: 'Messages per day',
        description: 'For the last thirty days, without spam.',
        responses: { 200: json(messagesPerDay, 'One count for each day') },
      }),
      async (c) => c.json(await countMessagesPerDay(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('get', '/dashboard/views', {
        rights: ['pages.write', 'config.write'],
        summary: 'Page views',
        description:
          'Daily totals, counted without cookies or addresses. Bots that identify themselves and signed-in users are not counted.',
        request: { query: viewsQuery },
        responses: { 200: json(views, 'By day, and for the most viewed pages') },
      }),
      async (c) => c.json(await getPageViews(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/dashboard/statistics', {
        rights: ['pages.write', 'config.write'],
        summary: 'Visits, and where they came from',
        description:
          'Daily totals, counted without cookies or addresses. A visit is a page view that does not come from another page of this site. Bots that identify themselves are only counted as `bots`.',
        request: { query: statisticsQuery },
        responses: { 200: json(statistics, 'For the period, beside the one before it') },
      }),
      async (c) => c.json(await getStatistics(c.var.ctx, c.req.valid('query')), 200),
    )
