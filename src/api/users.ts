import { createRoute } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import { idParameter, listOf } from '../contract/list.ts'
import type { Locale } from '../contract/locales.ts'
import {
  changedUser,
  exportQuery,
  manyUsers,
  manyUsersRole,
  newUser,
  passwordLink,
  passwordLinkWish,
  user,
  userQuery,
  usersNow,
} from '../contract/users.ts'
import { turnOffTwoFactorOf } from '../domain/profile/turn-off-two-factor-of.ts'
import { blockUsers, giveRole } from '../domain/users/change-many.ts'
import { createUser } from '../domain/users/create-user.ts'
import { deleteUser } from '../domain/users/delete-user.ts'
import { exportChosenUsers, exportUsers } from '../domain/users/export-users.ts'
import { findUsers, getUser } from '../domain/users/find-users.ts'
import { makeLinkForUser } from '../domain/users/make-link-for-user.ts'
import { updateUser } from '../domain/users/update-user.ts'
import { createApi, json, refused } from '../http/api.ts'
import type { Env } from '../http/env.ts'
import { csvHeaders, streamOf } from '../http/file-answer.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'

const read = { rights: ['users.read', 'users.write'] } as const
const write = { rights: ['users.write'] } as const

const stronger = refused('A right that you do not hold: the user has it, or the role gives it')
const strongerOrUnconfirmed = refused(
  'A right that you do not hold: the user has it, or the role gives it (`right_not_held`). Or the password must be given again first (`password_needed`)',
)
const many = (summary: string) => ({ body: { required: true, ...json(manyUsers, summary) } })
const allNow = json(usersNow, 'All of them, as they are now')
const ownOrLast = refused('Your own account, or the last user who can manage users')

/** Two parts, for a chain of more calls than this is slow to type. */
export const usersApi = () => createApi().route('/', manyUsersApi()).route('/', oneUserApi())

/** `/users` for several at once. These addresses stand before `/users/{id}`. */
const manyUsersApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/users',
        ...read,
        summary: 'List users',
        description:
          'Each with both roles. `search` looks at names and addresses; every word of it must be found. Without `sort` the order is by name, and in a search those come first whose name begins with it.',
        request: { query: userQuery },
        responses: { 200: json(listOf(user), 'One page') },
      }),
      async (c) => c.json(await findUsers(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users/export',
        ...read,
        summary: 'Export users as CSV',
        description: 'Everyone whom the same list would show, for a spreadsheet: UTF-8 with its mark, semicolons.',
        request: { query: exportQuery },
        responses: {
          200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
          403: refused('The right is missing, or the password must be given again first (`password_needed`)'),
        },
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        return asFile(c, await exportUsers(c.var.ctx, c.req.valid('query'), locale), locale)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users/export',
        ...read,
        summary: 'Export chosen users as CSV',
        description: 'The same file with these alone, in their order.',
        request: { body: { required: true, ...json(manyUsers, 'Whom') } },
        responses: {
          200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
          403: refused('The right is missing, or the password must be given again first (`password_needed`)'),
        },
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        return asFile(c, await exportChosenUsers(c.var.ctx, c.req.valid('json'), locale), locale)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users/block',
        ...write,
        summary: 'Block users',
        description: 'All of them or, when one may not be blocked, none. They are out at once, in every browser.',
        request: many('Whom'),
        responses: { 200: allNow, 403: stronger, 409: ownOrLast },
      }),
      async (c) => c.json({ data: await blockUsers(c.var.ctx, { ...c.req.valid('json'), blocked: true }) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users/unblock',
        ...write,
        summary: 'Let blocked users in again',
        request: many('Whom'),
        responses: { 200: allNow, 403: stronger },
      }),
      async (c) => c.json({ data: await blockUsers(c.var.ctx, { ...c.req.valid('json'), blocked: false }) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users/role',
        ...write,
        summary: 'Give users a role',
        description: 'The role for work; `null` takes it away. All of them or, when one may not be changed, none.',
        request: { body: { required: true, ...json(manyUsersRole, 'Whom, and which role') } },
        responses: { 200: allNow, 403: strongerOrUnconfirmed, 409: ownOrLast },
      }),
      async (c) => c.json({ data: await giveRole(c.var.ctx, c.req.valid('json')) }, 200),
    )

/** `/users/{id}`, and what adds one. */
const oneUserApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/users',
        ...write,
        summary: 'Add a user',
        request: { body: { required: true, ...json(newUser, 'The user') } },
        responses: { 201: json(user, 'Added'), 403: strongerOrUnconfirmed },
      }),
      async (c) => {
        const made = await createUser(c.var.ctx, c.req.valid('json'))
        return c.json(made, 201, { Location: `/api/users/${made.id}` })
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/users/{id}',
        ...read,
        summary: 'One user',
        request: { params: idParameter },
        responses: { 200: json(user, 'The user, with both roles') },
      }),
      async (c) => c.json(await getUser(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/users/{id}',
        ...write,
        summary: 'Change a user',
        description:
          'Without `user_role` that relation is dropped; an empty password is as none. Another role, address or password takes a sign-in of the last ten minutes. Who is blocked or gets another password or address is out at once, in every browser.',
        request: { params: idParameter, body: { required: true, ...json(changedUser, 'The user as it is to be') } },
        responses: {
          200: json(user, 'Changed'),
          403: strongerOrUnconfirmed,
          409: refused(
            'Somebody saved meanwhile (`stale`; `current` is what stands now), your own account (`own_account`), or the last user who can manage users (`last_manager`)',
          ),
        },
      }),
      async (c) => c.json(await updateUser(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/users/{id}',
        ...write,
        summary: 'Delete a user',
        request: { params: idParameter },
        responses: { 204: { description: 'Gone' }, 403: stronger, 409: ownOrLast },
      }),
      async (c) => {
        await deleteUser(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/users/{id}/password-link',
        ...write,
        summary: 'Make a link to set a password',
        description: 'Shown to who asks, or mailed to the user alone. A link that was made before ends.',
        request: { params: idParameter, body: { required: true, ...json(passwordLinkWish, 'Shown or mailed') } },
        responses: { 200: json(passwordLink, 'Made, or on its way'), 403: strongerOrUnconfirmed },
      }),
      async (c) => c.json(await makeLinkForUser(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/users/{id}/two-factor',
        ...write,
        summary: 'Turn off the second step of a user',
        description: 'For who lost the app and the recovery codes; they are told by mail.',
        request: { params: idParameter },
        responses: {
          204: { description: 'Off' },
          403: strongerOrUnconfirmed,
          409: refused('It is off by now, or your own: that is turned off in the profile'),
        },
      }),
      async (c) => {
        await turnOffTwoFactorOf(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )

/** The lines as a file that the browser saves. */
const asFile = (c: HonoContext<Env>, lines: AsyncGenerator<string, void, undefined>, locale: Locale) =>
  c.body(
    streamOf(lines),
    200,
    csvHeaders({ name: 'users', title: translator(locale)('users.csv.file'), at: c.var.ctx.now() }),
  )
