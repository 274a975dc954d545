import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Right } from '../../../contract/rights.ts'
import type { User, userSorts } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

/** One of these is enough to see users. */
export const toSeeUsers = ['users.read', 'users.write'] as const satisfies Right[]

type Sort = (typeof userSorts)[number]
const sorts = ['name', 'email', 'createdAt', 'lastSignedInAt'] as const satisfies readonly Sort[]
const bothWays = sorts.flatMap((sort) => [sort, `-${sort}` as const])

/** What the address of the list holds. */
export interface UserSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
  roleId?: number[] | undefined
  blocked?: boolean | undefined
}

export const readUserSearch = (found: Record<string, unknown>): UserSearch => ({
  page: read.number(found.page),
  sort: read.oneOf(found.sort, bothWays),
  search: read.text(found.search),
  roleId: read.numbers(found.roleId),
  blocked: read.flag(found.blocked),
})

/** In a search those come first that match best, and nothing is sorted by a column. */
export const orderOf = ({ sort, search }: UserSearch) => sort ?? (search ? undefined : 'name')

/** The same for the API. */
export const userFilters = ({ sort, search, roleId, blocked }: UserSearch) => ({
  ...(sort && { sort }),
  ...(search && { search }),
  ...(roleId && { roleId: roleId.map(String) }),
  ...(blocked !== undefined && { blocked: blocked ? ('true' as const) : ('false' as const) }),
})

export const usersQuery = (search: UserSearch, pageSize?: number) =>
  queryOptions({
    queryKey: ['users', 'list', search, pageSize],
    queryFn: async (): Promise<ListOf<User>> => answer(api.users.$get({ query: asked(search, pageSize) })),
    placeholderData: keepPreviousData,
  })

const asked = (search: UserSearch, pageSize?: number) => ({
  ...userFilters(search),
  ...(search.page && { page: String(search.page) }),
  ...(pageSize && { pageSize: String(pageSize) }),
})

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async (): Promise<User> => answer(api.users[':id'].$get({ param: { id: String(id) } })),
  })
