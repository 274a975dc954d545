import { z } from 'zod'
import { Refusal } from '../contract/errors.ts'
import { me, passkeyOptions, usedPasskey } from '../contract/profile.ts'
import {
  afterSignOut,
  confirmation,
  defaultTarget,
  safeTarget,
  secondStep as secondStepBody,
  signIn as signInBody,
  signOutQuery,
} from '../contract/sign-in.ts'
import { allow } from '../domain/allow.ts'
import { findMe } from '../domain/profile/get-profile.ts'
import { confirmPassword } from '../domain/sign-in/passwords.ts'
import { createApi, defineRoute, json, jsonBody, noContent, refusalResponse } from '../http/api.ts'
import { clientOrigin } from '../http/client-origin.ts'
import { createPasskeyChallenge, signIn, signInByPasskey, signOut, verifySecondStep } from '../http/sign-in.ts'
import { secondStepPath } from '../platform/auth/paths.ts'

const target = z.object({ target: z.string().describe('The path of this site to go to next') })
const signInResult = target.extend({
  secondStep: z.boolean().describe('True when a code of the authenticator app must follow'),
})
const invalid = { 422: refusalResponse('Fields are invalid; each is named') }
const tooMany = { 429: refusalResponse('Too many attempts; try again after Retry-After') }

/** `POST /login` with its second factor and passkeys, `POST /logout`, `POST /confirm`, `GET /me`. */
export const signInApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/login', {
        summary: 'Sign in',
        request: { body: jsonBody(signInBody, 'Email and password') },
        responses: {
          200: json(signInResult, 'Signed in, or a code is required; the session is in a cookie'),
          403: refusalResponse(
            'The password is right but must be replaced (`password_expired`); an email with a link for it is queued',
          ),
          401: refusalResponse('Unknown user, wrong password or blocked: the same response in the same time'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => {
        const { secondStep } = await signIn(c, c.req.valid('json'))
        return c.json({ secondStep, target: secondStep ? secondStepPath : defaultTarget }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/login/code', {
        summary: 'The second step of a sign-in',
        request: { body: jsonBody(secondStepBody, 'A code of the app, or a recovery code') },
        responses: {
          200: json(target, 'Signed in; the session is in a cookie'),
          401: refusalResponse('No sign-in is pending, or it has expired'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => {
        await verifySecondStep(c, c.req.valid('json'))
        return c.json({ target: defaultTarget }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/login/passkey/options', {
        summary: 'Start a sign-in with a passkey',
        responses: { 200: json(passkeyOptions, 'For `navigator.credentials.get()`'), ...tooMany },
      }),
      async (c) => c.json(await createPasskeyChallenge(c), 200),
    )
    .openapi(
      defineRoute('post', '/login/passkey', {
        summary: 'Sign in with a passkey',
        request: { body: jsonBody(usedPasskey, 'The response of the authenticator') },
        responses: {
          200: json(target, 'Signed in; the session is in a cookie'),
          401: refusalResponse('Not signed in; the response is the same for every reason'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => {
        await signInByPasskey(c, c.req.valid('json'))
        return c.json({ target: defaultTarget }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/logout', {
        summary: 'Sign out',
        request: { query: signOutQuery },
        responses: { 200: json(target, 'Signed out, also without a session; the target is `redirect`, or `/`') },
      }),
      async (c) => {
        await signOut(c)
        return c.json({ target: safeTarget(c.req.valid('query').redirect, afterSignOut) }, 200)
      },
    )
    .openapi(
      defineRoute('post', '/confirm', {
        signedIn: true,
        summary: 'Confirm your password before a sensitive action',
        request: { body: jsonBody(confirmation, 'Your password') },
        responses: {
          204: { description: 'Sensitive actions are allowed for ten minutes' },
          401: refusalResponse('Not signed in'),
          403: refusalResponse('You have no password: sign in again'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => noContent(c, confirmPassword(c.var.ctx, c.req.valid('json'), clientOrigin(c))),
    )
    .openapi(
      defineRoute('get', '/me', {
        signedIn: true,
        summary: 'The signed-in user and their rights',
        responses: { 200: json(me, 'The signed-in user'), 401: refusalResponse('Not signed in') },
      }),
      async (c) => {
        allow(c.var.ctx, [])
        const currentUser = await findMe(c.var.ctx)
        if (!currentUser) throw new Refusal('signed_out')
        return c.json(currentUser, 200)
      },
    )
