import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Statistics, StatisticsQuery } from '../../../contract/statistics.ts'
import { statisticsPeriods } from '../../../contract/visits.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter, searchReader } from '../../search.ts'

type Period = StatisticsQuery['days']
export const usualStatisticsPeriod: Period = 30

/** The search parameters of the statistics: the days of the period. */
export const readStatisticsSearch = searchReader((found) => ({
  days: statisticsPeriods.find((period) => period === parseParameter.number(found.days)),
}))
export type StatisticsSearch = ReturnType<typeof readStatisticsSearch>

export const statisticsQuery = (days: Period) =>
  queryOptions({
    queryKey: ['dashboard', 'statistics', days],
    queryFn: async (): Promise<Statistics> =>
      parseResponse(api.dashboard.statistics.$get({ query: { days: String(days) } })),
    placeholderData: keepPreviousData,
  })
