import { createRoute } from '@hono/zod-openapi'
import { passwordAgain, recoveryCodes, twoFactorStart, twoFactorVerify } from '../contract/profile.ts'
import { renewRecoveryCodes } from '../domain/profile/renew-recovery-codes.ts'
import { startTwoFactor } from '../domain/profile/start-two-factor.ts'
import { turnOffTwoFactor } from '../domain/profile/turn-off-two-factor.ts'
import { turnOnTwoFactor } from '../domain/profile/turn-on-two-factor.ts'
import { createApi, json, refused } from '../http/api.ts'
import { placeOf } from '../http/place.ts'

/** For whoever is signed in. */
const own = { rights: [] } as const
const refusals = { 403: refused('The password must be given again first') }

/** `/profile/two-factor`: a second step at sign-in, by an authenticator app. */
export const twoFactorApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor',
        ...own,
        summary: 'Begin with an authenticator app',
        responses: {
          200: json(twoFactorStart, 'What the app is set up with; nothing counts until a code of it is given'),
          ...refusals,
          409: refused('The second step is on by now'),
        },
      }),
      async (c) => c.json(await startTwoFactor(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor/verify',
        ...own,
        summary: 'Turn the second step on',
        request: { body: { required: true, ...json(twoFactorVerify, 'A code of the app') } },
        responses: {
          200: json(recoveryCodes, 'On; the codes for when the app is lost are shown this once'),
          ...refusals,
          409: refused('Nothing waits for a code'),
          422: refused('The code is wrong'),
        },
      }),
      async (c) => c.json(await turnOnTwoFactor(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor/recovery-codes',
        ...own,
        summary: 'Make new recovery codes',
        responses: {
          200: json(recoveryCodes, 'Shown this once; the old ones work no more'),
          ...refusals,
          409: refused('The second step is off'),
        },
      }),
      async (c) => c.json(await renewRecoveryCodes(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/two-factor',
        ...own,
        summary: 'Turn the second step off',
        request: { body: { required: true, ...json(passwordAgain, 'Your password; without one, an empty object') } },
        responses: {
          204: { description: 'Off' },
          ...refusals,
          409: refused('It is off by now'),
          422: refused('The password is missing or wrong'),
          429: refused('Too many tries; Retry-After says when to come back'),
        },
      }),
      async (c) => {
        await turnOffTwoFactor(c.var.ctx, c.req.valid('json'), placeOf(c))
        return c.body(null, 204)
      },
    )
