import { queryOptions } from '@tanstack/react-query'
import type { Health } from '../../../contract/health.ts'
import { api, parseResponse } from '../../client.ts'

export const loadHealth = async (fresh: 'yes' | 'no' = 'no'): Promise<Health> =>
  parseResponse(api.health.$get({ query: { fresh } }))

export const healthQuery = queryOptions({ queryKey: ['health'], queryFn: () => loadHealth(), staleTime: 0 })
