import { queryOptions } from '@tanstack/react-query'
import type { Right } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { answer, api } from '../../client.ts'

/** One of these is enough to see roles. */
export const toSeeRoles = ['roles.write', 'users.read', 'users.write'] as const satisfies Right[]

export const rolesQuery = queryOptions({
  queryKey: ['roles', 'list'],
  queryFn: async (): Promise<Role[]> => (await answer(api.roles.$get())).data,
})

export const roleQuery = (id: number) =>
  queryOptions({
    queryKey: ['roles', 'one', id],
    queryFn: async (): Promise<Role> => answer(api.roles[':id'].$get({ param: { id: String(id) } })),
  })
