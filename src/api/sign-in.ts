import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { Refusal } from '../contract/errors.ts'
import { me, passkeyOptions, usedPasskey } from '../contract/profile.ts'
import {
  afterSignOut,
  confirmation,
  defaultTarget,
  secondStep as secondStepBody,
  signIn as signInBody,
} from '../contract/sign-in.ts'
import { allow } from '../domain/allow.ts'
import { confirm } from '../domain/sign-in/confirm.ts'
import { describeMe } from '../domain/sign-in/describe-me.ts'
import { createApi, json, refused } from '../http/api.ts'
import { placeOf } from '../http/place.ts'
import { passkeyQuestion, signIn, signInByPasskey, signOut, takeSecondStep } from '../http/sign-in.ts'
import { secondStepPath } from '../platform/auth/paths.ts'

const target = z.object({ target: z.string().describe('Where to go now, a path of this site') })
const signedIn = target.extend({
  secondStep: z.boolean().describe('True when a code of the authenticator app must follow'),
})
const invalid = { 422: refused('Fields are wrong; each is named') }
const tooMany = { 429: refused('Too many tries; Retry-After says when to come back') }

/** `POST /login` and its second step and passkeys, `POST /logout`, `POST /confirm`, `GET /me`. */
export const signInApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/login',
        summary: 'Sign in',
        request: { body: { required: true, ...json(signInBody, 'Email and password') } },
        responses: {
          200: json(signedIn, 'Signed in, or a code is asked for; the session is in a cookie'),
          401: refused('Unknown, wrong or blocked: the same words in the same time'),
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
      createRoute({
        method: 'post',
        path: '/login/code',
        summary: 'The second step of a sign-in',
        request: { body: { required: true, ...json(secondStepBody, 'A code of the app, or a recovery code') } },
        responses: {
          200: json(target, 'Signed in; the session is in a cookie'),
          401: refused('No sign-in waits for a code, or no more'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => {
        await takeSecondStep(c, c.req.valid('json'))
        return c.json({ target: defaultTarget }, 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/login/passkey/options',
        summary: 'Begin a sign-in by a passkey',
        responses: { 200: json(passkeyOptions, 'For `navigator.credentials.get()`'), ...tooMany },
      }),
      async (c) => c.json(await passkeyQuestion(c), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/login/passkey',
        summary: 'Sign in by a passkey',
        request: { body: { required: true, ...json(usedPasskey, 'What the authenticator answered') } },
        responses: {
          200: json(target, 'Signed in; the session is in a cookie'),
          401: refused('Whatever the reason: the same words'),
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
      createRoute({
        method: 'post',
        path: '/logout',
        summary: 'Sign out',
        responses: { 200: json(target, 'Signed out, whatever happened before') },
      }),
      async (c) => {
        await signOut(c)
        return c.json({ target: afterSignOut }, 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/confirm',
        rights: [],
        summary: 'Give your password again, for what is risky',
        request: { body: { required: true, ...json(confirmation, 'Your password') } },
        responses: {
          204: { description: 'For ten minutes risky actions are open' },
          401: refused('Nobody is signed in'),
          403: refused('You have no password: sign in again'),
          ...invalid,
          ...tooMany,
        },
      }),
      async (c) => {
        await confirm(c.var.ctx, c.req.valid('json'), placeOf(c))
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/me',
        rights: [],
        summary: 'Who is signed in, and what they may do',
        responses: { 200: json(me, 'The one who asks'), 401: refused('Nobody is signed in') },
      }),
      async (c) => {
        allow(c.var.ctx, [])
        const found = await describeMe(c.var.ctx)
        if (!found) throw new Refusal('signed_out')
        return c.json(found, 200)
      },
    )
