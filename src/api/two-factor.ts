import { passwordConfirmation, recoveryCodes, twoFactorStart, twoFactorVerify } from '../contract/profile.ts'
import { renewRecoveryCodes, startTwoFactor, turnOffTwoFactor, turnOnTwoFactor } from '../domain/profile/two-factor.ts'
import { createApi, createRoute, json, refusalResponse } from '../http/api.ts'
import { clientOrigin } from '../http/client-origin.ts'

/** For every signed-in user. */
const own = { rights: [] } as const
const refusals = { 403: refusalResponse('The password must be confirmed first') }

/** `/profile/two-factor`: a second factor at sign-in, with an authenticator app. */
export const twoFactorApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor',
        ...own,
        summary: 'Start setting up an authenticator app',
        responses: {
          200: json(twoFactorStart, 'The secret for the app; it is not active until a code is verified'),
          ...refusals,
          409: refusalResponse('Two-factor is on already'),
        },
      }),
      async (c) => c.json(await startTwoFactor(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor/verify',
        ...own,
        summary: 'Turn two-factor on',
        request: { body: { required: true, ...json(twoFactorVerify, 'A code of the app') } },
        responses: {
          200: json(recoveryCodes, 'On; the recovery codes are shown only once'),
          ...refusals,
          409: refusalResponse('No setup is pending'),
          422: refusalResponse('The code is wrong'),
        },
      }),
      async (c) => c.json(await turnOnTwoFactor(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/two-factor/recovery-codes',
        ...own,
        summary: 'Replace the recovery codes',
        responses: {
          200: json(recoveryCodes, 'Shown only once; the old ones are invalid'),
          ...refusals,
          409: refusalResponse('Two-factor is off'),
        },
      }),
      async (c) => c.json(await renewRecoveryCodes(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/two-factor',
        ...own,
        summary: 'Turn two-factor off',
        request: {
          body: { required: true, ...json(passwordConfirmation, 'Your password; without one, an empty object') },
        },
        responses: {
          204: { description: 'Off' },
          ...refusals,
          409: refusalResponse('It is off already'),
          422: refusalResponse('The password is missing or wrong'),
          429: refusalResponse('Too many attempts; try again after Retry-After'),
        },
      }),
      async (c) => {
        await turnOffTwoFactor(c.var.ctx, c.req.valid('json'), clientOrigin(c))
        return c.body(null, 204)
      },
    )
