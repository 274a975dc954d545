import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Statistics, StatisticsQuery } from '../../../contract/statistics.ts'
import { statisticsPeriods } from '../../../contract/visits.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter, searchReader } from '../../search.ts'

type Period = StatisticsQuery['days']
export const defaultPeriodDays: Period = 30

/** The search parameters of the screen's URL: the length of the period in days. */
export const readStatisticsSearch = searchReader((parameters) => ({
  days: statisticsPeriods.find((period) => period === parseParameter.number(parameters.days)),
}))

export const statisticsQuery = (days: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'statistics', days],
    queryFn: async (): Promise<Statistics> =>
      parseResponse(api.dashboard.statistics.$get({ query: { days: String(days) } })),
    placeholderData: keepPreviousData,
  })
