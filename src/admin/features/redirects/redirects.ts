import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Redirect, redirectSorts } from '../../../contract/redirects.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter } from '../../search.ts'

/** Any one of these rights allows viewing redirects. */
export const redirectReadRights = ['pages.write', 'pages.publish'] as const satisfies Right[]

type Sort = (typeof redirectSorts)[number]
const bothWays = ['createdAt', '-createdAt', 'from', '-from'] as const satisfies (Sort | `-${Sort}`)[]

/** The search parameters of the list's URL. */
export interface RedirectSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
}

export const readRedirectSearch = (found: Record<string, unknown>): RedirectSearch => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.oneOf(found.sort, bothWays),
  search: parseParameter.text(found.search),
})

export const redirectsQuery = (search: RedirectSearch) =>
  queryOptions({
    queryKey: ['redirects', search],
    queryFn: async (): Promise<ListOf<Redirect>> => parseResponse(api.redirects.$get({ query: apiQuery(search) })),
    placeholderData: keepPreviousData,
  })

const apiQuery = ({ page, sort, search }: RedirectSearch) => ({
  ...(page && { page: String(page) }),
  ...(sort && { sort }),
  ...(search && { search }),
})
