import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Dashboard, MessagesPerDay, Views } from '../../../contract/dashboard.ts'
import { viewPeriods } from '../../../contract/day.ts'
import type { Right } from '../../../contract/rights.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async (): Promise<Dashboard> => answer(api.dashboard.$get()),
})

export const toSeeMessages = ['messages.read', 'messages.write'] as const satisfies Right[]
export const toSeeViews = ['pages.write', 'config.write'] as const satisfies Right[]

type Period = (typeof viewPeriods)[number]
export const usualPeriod: Period = 30

/** What the address of the first screen holds: the days of which views are shown. */
export interface HomeSearch {
  days?: Period | undefined
}

export const readHomeSearch = (found: Record<string, unknown>): HomeSearch => ({
  days: viewPeriods.find((period) => period === read.number(found.days)),
})

export const messagesPerDayQuery = queryOptions({
  queryKey: ['dashboard', 'messages'],
  queryFn: async (): Promise<MessagesPerDay> => answer(api.dashboard.messages.$get()),
})

export const viewsQuery = (days: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'views', days],
    queryFn: async (): Promise<Views> => answer(api.dashboard.views.$get({ query: { days: String(days) } })),
    placeholderData: keepPreviousData,
  })
