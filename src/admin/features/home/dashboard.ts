import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Dashboard, MessagesPerDay, Views } from '../../../contract/dashboard.ts'
import { viewPeriods } from '../../../contract/day.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter, searchReader } from '../../search.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async (): Promise<Dashboard> => parseResponse(api.dashboard.$get()),
})

/** Any one of these rights allows viewing the view statistics. */
export const viewReadRights = ['pages.write', 'config.write'] as const satisfies Right[]

type Period = (typeof viewPeriods)[number]
export const defaultViewPeriod: Period = 30

/** The search parameters of the dashboard: the number of days of the view statistics. */
export const readHomeSearch = searchReader((parameters) => ({
  days: viewPeriods.find((period) => period === parseParameter.number(parameters.days)),
}))

export const messagesPerDayQuery = queryOptions({
  queryKey: ['dashboard', 'messages'],
  queryFn: async (): Promise<MessagesPerDay> => parseResponse(api.dashboard.messages.$get()),
})

export const viewsQuery = (days: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'views', days],
    queryFn: async (): Promise<Views> => parseResponse(api.dashboard.views.$get({ query: { days: String(days) } })),
    placeholderData: keepPreviousData,
  })
