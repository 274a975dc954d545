import { z } from 'zod'
import { Refusal } from '../contract/errors.ts'
import { idParameter } from '../contract/list.ts'
import {
  changedProfile,
  newPasskey,
  passkey,
  passkeyOptions,
  passwordConfirmation,
  profile,
  recoveryCodes,
  renamedPasskey,
  session,
  twoFactorStart,
  twoFactorVerify,
} from '../contract/profile.ts'
import { allow, requireConfirmed } from '../domain/allow.ts'
import { cancelEmailChange } from '../domain/profile/change-email.ts'
import { changeProfile, endOtherSessions, endOwnSession, listOwnSessions } from '../domain/profile/change-profile.ts'
import { getProfile } from '../domain/profile/get-profile.ts'
import { addPasskey, removePasskey, renamePasskey } from '../domain/profile/passkeys.ts'
import { renewRecoveryCodes, startTwoFactor, turnOffTwoFactor, turnOnTwoFactor } from '../domain/profile/two-factor.ts'
import { createApi, defineRoute, json, jsonBody, noContent, refusalResponse, staleResponse } from '../http/api.ts'
import { AuthError, callAuth } from '../http/auth-call.ts'
import { clientOrigin } from '../http/client-origin.ts'

const access = { signedIn: true } as const

/** `/profile`, its unconfirmed email address, sessions, two-factor and passkeys. */
export const profileApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/profile', {
        ...access,
        summary: 'Your profile',
        responses: { 200: json(profile, 'The signed-in user') },
      }),
      async (c) => c.json(await getProfile(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('put', '/profile', {
        ...access,
        summary: 'Change your profile',
        description:
          'A new password requires the current one, or for a user without one a sign-in within the last ten minutes. Another email ' +
          'address requires such a sign-in too, and applies when the link that is emailed to it is used.',
        request: { body: jsonBody(changedProfile, 'The new profile') },
        responses: {
          200: json(profile, 'Saved'),
          ...unconfirmed,
          409: staleResponse,
          422: refusalResponse('Fields are invalid; each is named'),
          429: refusalResponse('Too many attempts; try again after Retry-After'),
        },
      }),
      async (c) => c.json(await changeProfile(c.var.ctx, c.req.valid('json'), clientOrigin(c)), 200),
    )
    .openapi(
      defineRoute('delete', '/profile/new-email', {
        ...access,
        summary: 'Cancel a change of your email address',
        responses: {
          204: { description: 'Cancelled; the link that was emailed is no longer valid' },
          404: refusalResponse('There is no unconfirmed address'),
        },
      }),
      async (c) => noContent(c, cancelEmailChange(c.var.ctx)),
    )
    .openapi(
      defineRoute('get', '/profile/sessions', {
        ...access,
        summary: 'List your sessions',
        responses: { 200: json(z.array(session), 'The most recently used first') },
      }),
      async (c) => c.json(await listOwnSessions(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('delete', '/profile/sessions', {
        ...access,
        summary: 'End your other sessions',
        responses: { 204: { description: 'Signed out' } },
      }),
      async (c) => noContent(c, endOtherSessions(c.var.ctx)),
    )
    .openapi(
      defineRoute('delete', '/profile/sessions/{id}', {
        ...access,
        summary: 'End one of your sessions',
        request: { params: idParameter },
        responses: { 204: { description: 'Signed out' }, 404: refusalResponse('You have no such session') },
      }),
      async (c) => noContent(c, endOwnSession(c.var.ctx, c.req.valid('param').id)),
    )
    .route('/', twoFactorApi())
    .route('/', passkeysApi())

const unconfirmed = { 403: refusalResponse('The password must be confirmed first') }

/** `/profile/two-factor`: a second factor at sign-in, with an authenticator app. */
const twoFactorApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/profile/two-factor', {
        ...access,
        summary: 'Start setting up an authenticator app',
        responses: {
          200: json(twoFactorStart, 'The secret for the app; it is not active until a code is verified'),
          ...unconfirmed,
          409: refusalResponse('Two-factor is on already'),
        },
      }),
      async (c) => c.json(await startTwoFactor(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('post', '/profile/two-factor/verify', {
        ...access,
        summary: 'Turn two-factor on',
        request: { body: jsonBody(twoFactorVerify, 'A code of the app') },
        responses: {
          200: json(recoveryCodes, 'On; the recovery codes are shown only once'),
          ...unconfirmed,
          409: refusalResponse('No setup is pending'),
          422: refusalResponse('The code is wrong'),
        },
      }),
      async (c) => c.json(await turnOnTwoFactor(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('post', '/profile/two-factor/recovery-codes', {
        ...access,
        summary: 'Replace the recovery codes',
        responses: {
          200: json(recoveryCodes, 'Shown only once; the old ones are invalid'),
          ...unconfirmed,
          409: refusalResponse('Two-factor is off'),
        },
      }),
      async (c) => c.json(await renewRecoveryCodes(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('delete', '/profile/two-factor', {
        ...access,
        summary: 'Turn two-factor off',
        request: { body: jsonBody(passwordConfirmation, 'Your password; without one, an empty object') },
        responses: {
          204: { description: 'Off' },
          ...unconfirmed,
          409: refusalResponse('It is off already'),
          422: refusalResponse('The password is missing or wrong'),
          429: refusalResponse('Too many attempts; try again after Retry-After'),
        },
      }),
      async (c) => noContent(c, turnOffTwoFactor(c.var.ctx, c.req.valid('json'), clientOrigin(c))),
    )

const noSuchPasskey = { 404: refusalResponse('You have no such passkey') }

/** `/profile/passkeys` */
const passkeysApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/profile/passkeys/options', {
        ...access,
        summary: 'Start adding a passkey',
        responses: { 200: json(passkeyOptions, 'For `navigator.credentials.create()`'), ...unconfirmed },
      }),
      async (c) => {
        const { ctx } = c.var
        const { email } = allow(ctx, [])
        requireConfirmed(ctx)
        const options = await callAuth(c, await ctx.auth(), (auth, headers) =>
          auth.api.generatePasskeyRegistrationOptions({ query: { name: email }, headers, returnHeaders: true }),
        )
        return c.json({ ...options }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/profile/passkeys', {
        ...access,
        summary: 'Add a passkey',
        request: { body: jsonBody(newPasskey, 'Its name, and the response of the authenticator') },
        responses: {
          201: json(passkey, 'Added'),
          ...unconfirmed,
          422: refusalResponse('The response does not match the challenge, or the user was not verified'),
        },
      }),
      async (c) => {
        const { ctx } = c.var
        const { name, response } = c.req.valid('json')
        const auth = await ctx.auth()
        const verify = () =>
          callAuth(c, auth, (auth, headers) =>
            auth.api.verifyPasskeyRegistration({ body: { name, response }, headers, returnHeaders: true }),
          )
        try {
          return c.json(await addPasskey(ctx, { verify }), 201)
        } catch (error) {
          if (!(error instanceof AuthError)) throw error
          throw new Refusal('invalid', { problems: [{ path: 'response', key: 'passkey' }] })
        }
      },
    )
    .openapi(
      defineRoute('patch', '/profile/passkeys/{id}', {
        ...access,
        summary: 'Rename a passkey',
        request: { params: idParameter, body: jsonBody(renamedPasskey, 'Its new name') },
        responses: {
          200: json(passkey, 'Renamed'),
          ...unconfirmed,
          ...noSuchPasskey,
          422: refusalResponse('The name is missing or too long'),
        },
      }),
      async (c) => c.json(await renamePasskey(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/profile/passkeys/{id}', {
        ...access,
        summary: 'Remove a passkey',
        request: { params: idParameter },
        responses: { 204: { description: 'Removed' }, ...unconfirmed, ...noSuchPasskey },
      }),
      async (c) => noContent(c, removePasskey(c.var.ctx, c.req.valid('param').id)),
    )
