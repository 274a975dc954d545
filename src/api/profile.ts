import { z } from 'zod'
import { idParameter } from '../contract/list.ts'
import { changedProfile, profile, session } from '../contract/profile.ts'
import { cancelEmailChange } from '../domain/profile/change-email.ts'
import { changeProfile } from '../domain/profile/change-profile.ts'
import { getProfile } from '../domain/profile/get-profile.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from '../domain/profile/sessions.ts'
import { createApi, createRoute, json, refusalResponse } from '../http/api.ts'
import { clientOrigin } from '../http/client-origin.ts'
import { passkeysApi } from './passkeys.ts'
import { twoFactorApi } from './two-factor.ts'

/** For every signed-in user. */
const own = { rights: [] } as const

/** `/profile`, its unconfirmed email address, sessions, two-factor and passkeys. */
export const profileApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/profile',
        ...own,
        summary: 'Your profile',
        responses: { 200: json(profile, 'The signed-in user') },
      }),
      async (c) => c.json(await getProfile(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/profile',
        ...own,
        summary: 'Change your profile',
        description:
          'A new password requires the current one, or for a user without one a sign-in within the last ten minutes. Another email ' +
          'address requires such a sign-in too, and applies when the link that is emailed to it is used.',
        request: { body: { required: true, ...json(changedProfile, 'The new profile') } },
        responses: {
          200: json(profile, 'Saved'),
          403: refusalResponse('The password must be confirmed first'),
          409: refusalResponse('Somebody else saved meanwhile; `current` is the saved state'),
          422: refusalResponse('Fields are invalid; each is named'),
          429: refusalResponse('Too many attempts; try again after Retry-After'),
        },
      }),
      async (c) => c.json(await changeProfile(c.var.ctx, c.req.valid('json'), clientOrigin(c)), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/new-email',
        ...own,
        summary: 'Cancel a change of your email address',
        responses: {
          204: { description: 'Cancelled; the link that was emailed is no longer valid' },
          404: refusalResponse('There is no unconfirmed address'),
        },
      }),
      async (c) => {
        await cancelEmailChange(c.var.ctx)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/profile/sessions',
        ...own,
        summary: 'List your sessions',
        responses: { 200: json(z.array(session), 'The most recently used first') },
      }),
      async (c) => c.json(await listOwnSessions(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/sessions',
        ...own,
        summary: 'End your other sessions',
        responses: { 204: { description: 'Signed out' } },
      }),
      async (c) => {
        await endOtherSessions(c.var.ctx)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/sessions/{id}',
        ...own,
        summary: 'End one of your sessions',
        request: { params: idParameter },
        responses: { 204: { description: 'Signed out' }, 404: refusalResponse('You have no such session') },
      }),
      async (c) => {
        await endOwnSession(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
    .route('/', twoFactorApi())
    .route('/', passkeysApi())
