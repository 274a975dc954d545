import type { Context as HonoContext } from 'hono'
import { idParameter, listOf } from '../contract/list.ts'
import type { Locale } from '../contract/locales.ts'
import {
  changedUser,
  changedUsers,
  exportQuery,
  newUser,
  passwordLink,
  passwordLinkRequest,
  user,
  userQuery,
  userSelection,
  userSelectionRole,
} from '../contract/users.ts'
import { turnOffUserTwoFactor } from '../domain/profile/turn-off-user-two-factor.ts'
import { blockUsers, setRole } from '../domain/users/change-many-users.ts'
import { createUser, createUserPasswordLink } from '../domain/users/create-user.ts'
import { deleteUser } from '../domain/users/delete-user.ts'
import { exportChosenUsers, exportUsers } from '../domain/users/export-users.ts'
import { getUser, listUsers } from '../domain/users/list-users.ts'
import { updateUser } from '../domain/users/update-user.ts'
import { createApi, csvResponses, defineRoute, json, jsonBody, noContent, refusalResponse } from '../http/api.ts'
import type { Env } from '../http/env.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'
import { csvHeaders, streamText } from '../platform/csv.ts'

const read = { anyRight: ['users.read', 'users.write'] } as const
const write = { anyRight: ['users.write'] } as const

const rightNotHeld = refusalResponse('A right that you do not hold: the user has it, or the role grants it')
const rightNotHeldOrUnconfirmed = refusalResponse(
  'A right that you do not hold: the user has it, or the role grants it (`right_not_held`). Or the password must be confirmed first (`password_needed`)',
)
const selectionRequest = { body: jsonBody(userSelection, 'The users') }
const changedUsersResponse = json(changedUsers, 'All of the users, after the change')
const ownAccountOrLastManager = refusalResponse('Your own account, or the last user who can manage users')

/** In two parts: type inference is slow for one long chain. */
export const usersApi = () => createApi().route('/', manyUsersApi()).route('/', oneUserApi())

/** `/users` for several users at once. Registered before `/users/{id}`. */
const manyUsersApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/users', {
        ...read,
        summary: 'List users',
        description:
          'Each user with both roles. `search` matches names and email addresses; every word must occur. Without `sort` the order is by name, and a search lists names that begin with it first.',
        request: { query: userQuery },
        responses: { 200: json(listOf(user), 'One page') },
      }),
      async (c) => c.json(await listUsers(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/users/export', {
        ...read,
        summary: 'Export users as CSV',
        description:
          'All users that the same query would list, as UTF-8 with a byte order mark, separated by semicolons.',
        request: { query: exportQuery },
        responses: csvResponses,
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        return csvDownload(c, await exportUsers(c.var.ctx, c.req.valid('query'), locale), locale)
      },
    )
    .openapi(
      defineRoute('post', '/users/export', {
        ...read,
        summary: 'Export selected users as CSV',
        description: 'The same file with only these users, in the order of the request.',
        request: { body: jsonBody(userSelection, 'The users') },
        responses: csvResponses,
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        return csvDownload(c, await exportChosenUsers(c.var.ctx, c.req.valid('json'), locale), locale)
      },
    )
    .openapi(
      defineRoute('post', '/users/block', {
        ...write,
        summary: 'Block users',
        description: 'Blocks all of them, or none when one may not be blocked. Their sessions end immediately.',
        request: selectionRequest,
        responses: { 200: changedUsersResponse, 403: rightNotHeld, 409: ownAccountOrLastManager },
      }),
      async (c) => c.json({ data: await blockUsers(c.var.ctx, { ...c.req.valid('json'), blocked: true }) }, 200),
    )
    .openapi(
      defineRoute('post', '/users/unblock', {
        ...write,
        summary: 'Unblock users',
        request: selectionRequest,
        responses: { 200: changedUsersResponse, 403: rightNotHeld },
      }),
      async (c) => c.json({ data: await blockUsers(c.var.ctx, { ...c.req.valid('json'), blocked: false }) }, 200),
    )
    .openapi(
      defineRoute('post', '/users/role', {
        ...write,
        summary: 'Assign a role to users',
        description:
          'The role for work; `null` removes it. Changes all of the users, or none when one may not be changed.',
        request: { body: jsonBody(userSelectionRole, 'The users, and the role') },
        responses: { 200: changedUsersResponse, 403: rightNotHeldOrUnconfirmed, 409: ownAccountOrLastManager },
      }),
      async (c) => c.json({ data: await setRole(c.var.ctx, c.req.valid('json')) }, 200),
    )

/** `/users/{id}`, and `POST /users`. */
const oneUserApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/users', {
        ...write,
        summary: 'Add a user',
        request: { body: jsonBody(newUser, 'The user') },
        responses: { 201: json(user, 'Added'), 403: rightNotHeldOrUnconfirmed },
      }),
      async (c) => {
        const created = await createUser(c.var.ctx, c.req.valid('json'))
        return c.json(created, 201, { Location: `/api/users/${created.id}` })
      },
    )
    .openapi(
      defineRoute('get', '/users/{id}', {
        ...read,
        summary: 'One user',
        request: { params: idParameter },
        responses: { 200: json(user, 'The user, with both roles') },
      }),
      async (c) => c.json(await getUser(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('put', '/users/{id}', {
        ...write,
        summary: 'Change a user',
        description:
          'Without `user_role` the role is removed; an empty password counts as absent. Changing the role, email address or password requires a sign-in within the last ten minutes. Blocking, or changing the password or email address, ends all sessions of the user.',
        request: { params: idParameter, body: jsonBody(changedUser, 'The new user data') },
        responses: {
          200: json(user, 'Changed'),
          403: rightNotHeldOrUnconfirmed,
          409: refusalResponse(
            'Somebody else saved meanwhile (`stale`; `current` is the saved state), your own account (`own_account`), or the last user who can manage users (`last_manager`)',
          ),
        },
      }),
      async (c) => c.json(await updateUser(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/users/{id}', {
        ...write,
        summary: 'Delete a user',
        request: { params: idParameter },
        responses: { 204: { description: 'Deleted' }, 403: rightNotHeld, 409: ownAccountOrLastManager },
      }),
      async (c) => noContent(c, deleteUser(c.var.ctx, c.req.valid('param').id)),
    )
    .openapi(
      defineRoute('post', '/users/{id}/password-link', {
        ...write,
        summary: 'Create a link to set a password',
        description: 'The link is returned to the caller, or only emailed to the user. Earlier links become invalid.',
        request: {
          params: idParameter,
          body: jsonBody(passwordLinkRequest, 'Whether to email the link'),
        },
        responses: { 200: json(passwordLink, 'Created, or queued'), 403: rightNotHeldOrUnconfirmed },
      }),
      async (c) => c.json(await createUserPasswordLink(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/users/{id}/two-factor', {
        ...write,
        summary: 'Turn off two-factor for a user',
        description: 'For a user who lost the app and the recovery codes; the user is notified by email.',
        request: { params: idParameter },
        responses: {
          204: { description: 'Off' },
          403: rightNotHeldOrUnconfirmed,
          409: refusalResponse('It is off already, or it is your own: turn that off in your profile'),
        },
      }),
      async (c) => noContent(c, turnOffUserTwoFactor(c.var.ctx, c.req.valid('param').id)),
    )

/** A response that streams CSV lines as a download. */
const csvDownload = (c: HonoContext<Env>, lines: AsyncGenerator<string, void, undefined>, locale: Locale) =>
  c.body(
    streamText(lines),
    200,
    csvHeaders({ name: 'users', title: translator(locale)('users.csv.file'), at: c.var.ctx.now() }),
  )
