import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { answer, api } from '../../client.ts'

/** Who is signed in. It stands in the page that the server made, and is asked for anew when the window is looked at again. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me> => answer(api.me.$get()),
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Whether the one who is signed in holds one of these rights. */
export function useRight(...wanted: Right[]): boolean {
  return hasRight(useMe(), wanted)
}
