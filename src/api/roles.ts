import { idParameter } from '../contract/list.ts'
import { builtInLocale } from '../contract/locales.ts'
import { changedRole, newRole, rightList, role, roleList } from '../contract/roles.ts'
import { createRole, deleteRole, updateRole } from '../domain/roles/change-roles.ts'
import { getRole, listRights, listRoles } from '../domain/roles/list-roles.ts'
import { createApi, defineRoute, fixedJson, json, jsonBody, noContent, refusalResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

const read = { anyRight: ['users.read', 'users.write', 'roles.write'] } as const
const write = { anyRight: ['roles.write'] } as const
const rightNotHeld = refusalResponse(
  'The role has a right that you do not hold, before or after the change (`right_not_held`). Or the password must be confirmed first (`password_needed`)',
)

/** `/roles` and `/rights`. */
export const rolesApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/roles', {
        ...read,
        summary: 'List roles',
        description: 'All roles, each with the number of its users.',
        responses: { 200: json(roleList, 'Every role') },
      }),
      async (c) => c.json({ data: await listRoles(c.var.ctx) }, 200),
    )
    .openapi(
      defineRoute('post', '/roles', {
        ...write,
        summary: 'Add a role',
        request: { body: jsonBody(newRole, 'The role') },
        responses: { 201: json(role, 'Added'), 403: rightNotHeld },
      }),
      async (c) => {
        const created = await createRole(c.var.ctx, c.req.valid('json'))
        return c.json(created, 201, { Location: `/api/roles/${created.id}` })
      },
    )
    .openapi(
      defineRoute('get', '/roles/{id}', {
        ...read,
        summary: 'One role',
        request: { params: idParameter },
        responses: { 200: json(role, 'The role') },
      }),
      async (c) => c.json(await getRole(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('put', '/roles/{id}', {
        ...write,
        summary: 'Change a role',
        description: 'The change applies immediately to all users with the role.',
        request: { params: idParameter, body: jsonBody(changedRole, 'The new role') },
        responses: {
          200: json(role, 'Changed'),
          403: rightNotHeld,
          409: refusalResponse(
            'Somebody else saved meanwhile (`stale`; `current` is the saved state), or nobody could manage users any more (`last_manager`)',
          ),
        },
      }),
      async (c) => c.json(await updateRole(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/roles/{id}', {
        ...write,
        summary: 'Delete a role',
        request: { params: idParameter },
        responses: {
          204: { description: 'Deleted' },
          403: rightNotHeld,
          409: refusalResponse('Users have the role (`role_in_use`), or it is the base role (`base_role`)'),
        },
      }),
      async (c) => noContent(c, deleteRole(c.var.ctx, c.req.valid('param').id)),
    )
    .openapi(
      defineRoute('get', '/rights', {
        signedIn: true,
        summary: 'List rights',
        description: 'Every right, in groups, explained in the language of the request.',
        responses: { 200: json(rightList, 'Every right') },
      }),
      async (c) => fixedJson(c, listRights(c.var.ctx, builtInLocale(requestLocale(c.req.raw)))),
    )
