import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '../../../contract/admin-start.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { api, parseResponse } from '../../client.ts'

/**
 * The signed-in user. Embedded in the page by the server, and refetched when the window gets the focus: another user may
 * have signed in in another tab.
 */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Me> => parseResponse(api.me.$get()),
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

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
