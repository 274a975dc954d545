import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { idParameter } from '../contract/list.ts'
import { changedProfile, device, profile } from '../contract/profile.ts'
import { changeProfile } from '../domain/profile/change-profile.ts'
import { endDevice } from '../domain/profile/end-device.ts'
import { endOtherDevices } from '../domain/profile/end-other-devices.ts'
import { listDevices } from '../domain/profile/list-devices.ts'
import { showProfile } from '../domain/profile/show-profile.ts'
import { withdrawEmail } from '../domain/profile/withdraw-email.ts'
import { createApi, json, refused } from '../http/api.ts'
import { placeOf } from '../http/place.ts'
import { passkeysApi } from './passkeys.ts'
import { twoFactorApi } from './two-factor.ts'

/** For whoever is signed in. */
const own = { rights: [] } as const

/** `/profile` and what stands beside it: the address that waits, signed-in devices, two-factor, passkeys. */
export const profileApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/profile',
        ...own,
        summary: 'Your profile',
        responses: { 200: json(profile, 'The one who asks') },
      }),
      async (c) => c.json(await showProfile(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/profile',
        ...own,
        summary: 'Change your profile',
        description:
          'A new password takes the current one, or for who has none a sign-in of the last ten minutes. Another email ' +
          'takes such a sign-in too, and changes when the link that is mailed to it is used.',
        request: { body: { required: true, ...json(changedProfile, 'The profile as it is to be') } },
        responses: {
          200: json(profile, 'Saved'),
          403: refused('The password must be given again first'),
          409: refused('Somebody saved meanwhile; `current` is what stands now'),
          422: refused('Fields are wrong; each is named'),
          429: refused('Too many tries; Retry-After says when to come back'),
        },
      }),
      async (c) => c.json(await changeProfile(c.var.ctx, c.req.valid('json'), placeOf(c)), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/new-email',
        ...own,
        summary: 'Keep your email: the link that was mailed ends',
        responses: { 204: { description: 'Withdrawn' }, 404: refused('No address waits') },
      }),
      async (c) => {
        await withdrawEmail(c.var.ctx)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/profile/sessions',
        ...own,
        summary: 'Where you are signed in',
        responses: { 200: json(z.array(device), 'The one seen last first') },
      }),
      async (c) => c.json(await listDevices(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/sessions',
        ...own,
        summary: 'Sign out everywhere else',
        responses: { 204: { description: 'Signed out' } },
      }),
      async (c) => {
        await endOtherDevices(c.var.ctx)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/sessions/{id}',
        ...own,
        summary: 'Sign out on one device',
        request: { params: idParameter },
        responses: { 204: { description: 'Signed out' }, 404: refused('You have no such session') },
      }),
      async (c) => {
        await endDevice(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
    .route('/', twoFactorApi())
    .route('/', passkeysApi())
