import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Right } from '../../../contract/rights.ts'
import type { User, userSorts } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter } from '../../search.ts'

/** Any one of these rights allows viewing users. */
export const userReadRights = ['users.read', 'users.write'] as const satisfies Right[]

type Sort = (typeof userSorts)[number]
const sorts = ['name', 'email', 'createdAt', 'lastSignedInAt'] as const satisfies readonly Sort[]
const bothWays = sorts.flatMap((sort) => [sort, `-${sort}` as const])

/** The search parameters of the list's URL. */
export interface UserSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
  roleId?: number[] | undefined
  blocked?: boolean | undefined
}

export const readUserSearch = (found: Record<string, unknown>): UserSearch => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.oneOf(found.sort, bothWays),
  search: parseParameter.text(found.search),
  roleId: parseParameter.numbers(found.roleId),
  blocked: parseParameter.flag(found.blocked),
})

/** Search results are ordered by relevance unless a column is chosen. */
export const orderOf = ({ sort, search }: UserSearch) => sort ?? (search ? undefined : 'name')

/** The same filters as query parameters of the API. */
export const userFilters = ({ sort, search, roleId, blocked }: UserSearch) => ({
  ...(sort && { sort }),
  ...(search && { search }),
  ...(roleId && { roleId: roleId.map(String) }),
  ...(blocked !== undefined && { blocked: blocked ? ('true' as const) : ('false' as const) }),
})

export const usersQuery = (search: UserSearch, pageSize?: number) =>
  queryOptions({
    queryKey: ['users', 'list', search, pageSize],
    queryFn: async (): Promise<ListOf<User>> => parseResponse(api.users.$get({ query: apiQuery(search, pageSize) })),
    placeholderData: keepPreviousData,
  })

const apiQuery = (search: UserSearch, pageSize?: number) => ({
  ...userFilters(search),
  ...(search.page && { page: String(search.page) }),
  ...(pageSize && { pageSize: String(pageSize) }),
})

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async (): Promise<User> => parseResponse(api.users[':id'].$get({ param: { id: String(id) } })),
  })
