import { queryOptions } from '@tanstack/react-query'
import type { Profile, Session } from '../../../contract/profile.ts'
import { api, parseResponse } from '../../client.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile', 'self'],
  queryFn: async (): Promise<Profile> => parseResponse(api.profile.$get()),
})

export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async (): Promise<Session[]> => parseResponse(api.profile.sessions.$get()),
})
