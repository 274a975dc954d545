import { createRoute } from '@hono/zod-openapi'
import { idParameter } from '../contract/list.ts'
import { changedRole, newRole, rightList, role, roleList } from '../contract/roles.ts'
import { createRole } from '../domain/roles/create-role.ts'
import { deleteRole } from '../domain/roles/delete-role.ts'
import { getRole, listRoles } from '../domain/roles/find-role.ts'
import { listRights } from '../domain/roles/list-rights.ts'
import { updateRole } from '../domain/roles/update-role.ts'
import { createApi, json, refused } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

const read = { rights: ['users.read', 'users.write', 'roles.write'] } as const
const write = { rights: ['roles.write'] } as const
const refusedRight = refused(
  'A right that you do not hold, before or after (`right_not_held`). Or the password must be given again first (`password_needed`)',
)

/** `/roles` and `/rights`. */
export const rolesApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/roles',
        ...read,
        summary: 'List roles',
        description: 'All of them, each with how many users have it.',
        responses: { 200: json(roleList, 'Every role') },
      }),
      async (c) => c.json({ data: await listRoles(c.var.ctx) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/roles',
        ...write,
        summary: 'Add a role',
        request: { body: { required: true, ...json(newRole, 'The role') } },
        responses: { 201: json(role, 'Added'), 403: refusedRight },
      }),
      async (c) => {
        const made = await createRole(c.var.ctx, c.req.valid('json'))
        return c.json(made, 201, { Location: `/api/roles/${made.id}` })
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/roles/{id}',
        ...read,
        summary: 'One role',
        request: { params: idParameter },
        responses: { 200: json(role, 'The role') },
      }),
      async (c) => c.json(await getRole(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/roles/{id}',
        ...write,
        summary: 'Change a role',
        description: 'It counts at once for everyone who has the role.',
        request: { params: idParameter, body: { required: true, ...json(changedRole, 'The role as it is to be') } },
        responses: {
          200: json(role, 'Changed'),
          403: refusedRight,
          409: refused(
            'Somebody saved meanwhile (`stale`; `current` is what stands now), or nobody would be left who can manage users (`last_manager`)',
          ),
        },
      }),
      async (c) => c.json(await updateRole(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/roles/{id}',
        ...write,
        summary: 'Delete a role',
        request: { params: idParameter },
        responses: {
          204: { description: 'Gone' },
          403: refusedRight,
          409: refused('Users have it (`role_in_use`), or it is the base role (`base_role`)'),
        },
      }),
      async (c) => {
        await deleteRole(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/rights',
        rights: [],
        summary: 'List rights',
        description: 'Every right there is, in groups, explained in the language of the request.',
        responses: { 200: json(rightList, 'Every right') },
      }),
      async (c) => c.json(listRights(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
