import { Refusal } from '../contract/errors.ts'
import { idParameter } from '../contract/list.ts'
import { newPasskey, passkey, passkeyOptions, renamedPasskey } from '../contract/profile.ts'
import { allow, requireConfirmed } from '../domain/allow.ts'
import { addPasskey, removePasskey, renamePasskey } from '../domain/profile/passkeys.ts'
import { createApi, createRoute, json, refusalResponse } from '../http/api.ts'
import { AuthError, callAuth } from '../http/auth-call.ts'

/** For every signed-in user. */
const own = { rights: [] } as const
const refusals = { 403: refusalResponse('The password must be confirmed first') }
const absent = { 404: refusalResponse('You have no such passkey') }

/** `/profile/passkeys` */
export const passkeysApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/profile/passkeys/options',
        ...own,
        summary: 'Start adding a passkey',
        responses: { 200: json(passkeyOptions, 'For `navigator.credentials.create()`'), ...refusals },
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
      createRoute({
        method: 'post',
        path: '/profile/passkeys',
        ...own,
        summary: 'Add a passkey',
        request: { body: { required: true, ...json(newPasskey, 'Its name, and the response of the authenticator') } },
        responses: {
          201: json(passkey, 'Added'),
          ...refusals,
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
      createRoute({
        method: 'patch',
        path: '/profile/passkeys/{id}',
        ...own,
        summary: 'Rename a passkey',
        request: { params: idParameter, body: { required: true, ...json(renamedPasskey, 'Its new name') } },
        responses: {
          200: json(passkey, 'Renamed'),
          ...refusals,
          ...absent,
          422: refusalResponse('The name is missing or too long'),
        },
      }),
      async (c) => c.json(await renamePasskey(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/profile/passkeys/{id}',
        ...own,
        summary: 'Remove a passkey',
        request: { params: idParameter },
        responses: { 204: { description: 'Removed' }, ...refusals, ...absent },
      }),
      async (c) => {
        await removePasskey(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
