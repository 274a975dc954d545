import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { api, apiForAnyUser, parseResponse } from '../../client.ts'

/**
 * The user of this window. Initially from the page that the server rendered. Refetched when the window becomes visible,
 * because the session may have ended, or another user may have signed in in another window; both are refused alike.
 */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me> => parseResponse(api.me.$get()),
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** The user who is signed in in this browser, who may be another than the user of this window. */
export const fetchSignedInUser = (): Promise<Me> => parseResponse(apiForAnyUser.me.$get())

/** Refetches the user when the window gets the focus too: side-by-side windows are always visible. */
export function refetchMeOnFocus(queries: QueryClient): void {
  addEventListener('focus', () => void queries.refetchQueries({ queryKey: meQuery.queryKey }, { cancelRefetch: false }))
}

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Whether the user has at least one of these rights. */
export function useRight(...rights: Right[]): boolean {
  return hasRight(useMe(), rights)
}

/**
 * Signs out by posting the site's `/logout` form: the browser leaves the page in any case, and the response clears the
 * session cookie, which a script cannot do. The server redirects to the path in the `redirect` parameter, or to `/`.
 */
export function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/logout'
  const redirect = document.createElement('input')
  redirect.type = 'hidden'
  redirect.name = 'redirect'
  redirect.value = new URLSearchParams(location.search).get('redirect') ?? '/'
  form.append(redirect)
  document.body.append(form)
  form.submit()
}
