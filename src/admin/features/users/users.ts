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
export const readUserSearch = searchReader((found) => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.sort(found.sort, sorts),
  search: parseParameter.text(found.search),
  roleId: parseParameter.numbers(found.roleId),
  blocked: parseParameter.flag(found.blocked),
}))
export type UserSearch = ReturnType<typeof readUserSearch>

/** Search results are ordered by relevance unless a column is chosen. */
export const orderOf = ({ sort, search }: UserSearch) => sort ?? (search ? undefined : 'name')

/** The same filters as query parameters of the API. */
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
