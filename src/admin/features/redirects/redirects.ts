import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Redirect, redirectSorts } from '../../../contract/pages.ts'
import type { Right } from '../../../contract/rights.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

/** One of these is enough to see redirects. */
export const toSeeRedirects = ['pages.write', 'pages.publish'] as const satisfies Right[]

type Sort = (typeof redirectSorts)[number]
const bothWays = ['createdAt', '-createdAt', 'from', '-from'] as const satisfies (Sort | `-${Sort}`)[]

/** What the address of the list holds. */
export interface RedirectSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
}

export const readRedirectSearch = (found: Record<string, unknown>): RedirectSearch => ({
  page: read.number(found.page),
  sort: read.oneOf(found.sort, bothWays),
  search: read.text(found.search),
})

export const redirectsQuery = (search: RedirectSearch) =>
  queryOptions({
    queryKey: ['redirects', search],
    queryFn: async (): Promise<ListOf<Redirect>> => answer(api.redirects.$get({ query: asked(search) })),
    placeholderData: keepPreviousData,
  })

const asked = ({ page, sort, search }: RedirectSearch) => ({
  ...(page && { page: String(page) }),
  ...(sort && { sort }),
  ...(search && { search }),
})
