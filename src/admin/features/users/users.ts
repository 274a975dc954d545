import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Right } from '../../../contract/rights.ts'
import type { User, userSorts } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

/** Any one of these rights allows viewing users. */
export const userReadRights = ['users.read', 'users.write'] as const satisfies Right[]

const sorts = ['name', 'email', 'createdAt', 'lastSignedInAt'] as const satisfies (typeof userSorts)[number][]

/** The search parameters of the list's URL. */
export const readUserSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  sort: parseParameter.sort(parameters.sort, sorts),
  search: parseParameter.text(parameters.search),
  roleId: parseParameter.numbers(parameters.roleId),
  blocked: parseParameter.boolean(parameters.blocked),
}))
export type UserSearch = ReturnType<typeof readUserSearch>

/** The order of the list; undefined for search results without a chosen order, which the API sorts by relevance. */
export const orderOf = ({ sort, search }: UserSearch) => sort ?? (search ? undefined : 'name')

/** The filters and the order of the list as query parameters of the API. */
export const userFilters = ({ page: _, ...filters }: UserSearch) => apiQuery(filters)

export const usersQuery = (search: UserSearch, pageSize?: number) =>
  queryOptions({
    queryKey: ['users', 'list', search, pageSize],
    queryFn: async (): Promise<ListOf<User>> =>
      parseResponse(api.users.$get({ query: apiQuery({ ...search, pageSize }) })),
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async (): Promise<User> => parseResponse(api.users[':id'].$get({ param: { id: String(id) } })),
  })
