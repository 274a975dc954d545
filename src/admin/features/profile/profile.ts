import { queryOptions } from '@tanstack/react-query'
import type { Device, Profile } from '../../../contract/profile.ts'
import { answer, api } from '../../client.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile', 'self'],
  queryFn: async (): Promise<Profile> => answer(api.profile.$get()),
})

export const devicesQuery = queryOptions({
  queryKey: ['profile', 'devices'],
  queryFn: async (): Promise<Device[]> => answer(api.profile.sessions.$get()),
})
