import { queryOptions } from '@tanstack/react-query'
import type { Dashboard } from '../../../contract/dashboard.ts'
import { answer, api } from '../../client.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: async (): Promise<Dashboard> => answer(api.dashboard.$get()),
})
