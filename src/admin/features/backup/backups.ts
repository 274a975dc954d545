import { queryOptions } from '@tanstack/react-query'
import type { Backups } from '../../../contract/backups.ts'
import { api, parseResponse } from '../../client.ts'

const busyMs = 2_000
const idleMs = 60_000

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async (): Promise<Backups> => parseResponse(api.backups.$get()),
  refetchInterval: ({ state: { data } }) =>
    [...(data?.runs ?? []), ...(data?.proofs ?? [])].some(({ state }) => state === 'waiting' || state === 'running')
      ? busyMs
      : idleMs,
})
