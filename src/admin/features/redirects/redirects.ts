import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Redirect, redirectSorts } from '../../../contract/redirects.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

/** Any one of these rights allows viewing redirects. */
export const redirectReadRights = ['pages.write', 'pages.publish'] as const satisfies Right[]

const sorts = ['createdAt', 'from'] as const satisfies (typeof redirectSorts)[number][]

/** The search parameters of the list's URL. */
export const readRedirectSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  sort: parseParameter.sort(parameters.sort, sorts),
  search: parseParameter.text(parameters.search),
}))
export type RedirectSearch = ReturnType<typeof readRedirectSearch>

export const redirectsQuery = (search: RedirectSearch) =>
  queryOptions({
    queryKey: ['redirects', search],
    queryFn: async (): Promise<ListOf<Redirect>> => parseResponse(api.redirects.$get({ query: apiQuery(search) })),
    placeholderData: keepPreviousData,
  })
