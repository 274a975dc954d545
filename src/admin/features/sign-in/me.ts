import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { api, apiForAnyUser, parseResponse } from '../../client.ts'

/**
 * The user whom this window shows. Embedded in the page by the server, and refetched when the window is shown again: the
 * session may have ended, or another user may have signed in in another window, which is refused in the same way.
 */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me> => parseResponse(api.me.$get()),
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** The user who is signed in in this browser: perhaps another than the one whom this window shows. */
export const fetchSignedInUser = (): Promise<Me> => parseResponse(apiForAnyUser.me.$get())

/** Refetches the user also when a window beside another one gets the focus: neither of them was hidden. */
export function refetchMeOnFocus(queries: QueryClient): void {
  addEventListener('focus', () => void queries.refetchQueries({ queryKey: meQuery.queryKey }, { cancelRefetch: false }))
}

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Whether the signed-in user has any of these rights. */
export function useRight(...rights: Right[]): boolean {
  return hasRight(useMe(), rights)
}

/**
 * Signs out by posting the site's `/logout` form: the browser leaves the page in any case, and the response clears the
 * session cookie, which a script cannot do. The server then redirects to the path in the `redirect` parameter, or the home page.
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
