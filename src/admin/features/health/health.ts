import { queryOptions } from '@tanstack/react-query'
import type { Health, HealthAlarms } from '../../../contract/health.ts'
import { api, parseResponse } from '../../client.ts'

/** @param fresh `yes` runs all checks (at most once a minute), `no` only those whose results have expired */
export const loadHealth = async (fresh: 'yes' | 'no' = 'no'): Promise<Health> =>
  parseResponse(api.health.$get({ query: { fresh } }))

export const healthQuery = queryOptions({ queryKey: ['health'], queryFn: () => loadHealth(), staleTime: 0 })

export const alarmsQuery = queryOptions({
  queryKey: ['health', 'alarms'],
  queryFn: async (): Promise<HealthAlarms> => parseResponse(api.health.alarms.$get()),
})
