import { queryOptions } from '@tanstack/react-query'
import type { Right } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { api, parseResponse } from '../../client.ts'

/** Any one of these rights allows viewing roles. */
export const roleReadRights = ['roles.write', 'users.read', 'users.write'] as const satisfies Right[]

export const rolesQuery = queryOptions({
  queryKey: ['roles', 'list'],
  queryFn: async (): Promise<Role[]> => (await parseResponse(api.roles.$get())).data,
})

export const roleQuery = (id: number) =>
  queryOptions({
    queryKey: ['roles', 'one', id],
    queryFn: async (): Promise<Role> => parseResponse(api.roles[':id'].$get({ param: { id: String(id) } })),
  })
