import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import type { Database } from '../db/database.ts'
import { consumeTotpCode } from './auth.queries.ts'
import { currentConnection } from './auth-transaction.ts'

const secondStepSeconds = 600

/**
 * What the plugins do not enforce: a code is valid once, and a sign-in through a provider requires the second factor
 * too.
 */
export const guards = (db: Database, secondStepPath: string): BetterAuthPlugin => ({
  id: 'etalage-guards',
  hooks: {
    before: [
      {
        matcher: (c) => c.path === '/two-factor/verify-totp',
        handler: createAuthMiddleware(async (c) => {
          const cookie = c.context.createAuthCookie('two_factor')
          const challenge = await c.getSignedCookie(cookie.name, c.context.secret)
          const session = await getSessionFromCtx(c)
          const waiting = challenge ? await c.context.internalAdapter.findVerificationValue(challenge) : undefined
          const userId = session?.user.id ?? waiting?.value
          if (!userId) return
          if (!(await consumeTotpCode(currentConnection(db), userId, c.body.code))) {
            throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
          }
        }),
      },
    ],
    after: [
      {
        matcher: (c) => c.path === '/callback/:id',
        handler: createAuthMiddleware(async (c) => {
          const made = c.context.newSession
          if (!made?.user.twoFactorEnabled) return
          deleteSessionCookie(c, true)
          await c.context.internalAdapter.deleteSession(made.session.token)
          c.context.setNewSession(null)
          const cookie = c.context.createAuthCookie('two_factor', { maxAge: secondStepSeconds })
          const identifier = `2fa-${generateRandomString(20)}`
          const expiresAt = new Date(Date.now() + secondStepSeconds * 1_000)
          await c.context.internalAdapter.createVerificationValue({ value: made.user.id, identifier, expiresAt })
          await c.context.internalAdapter.createVerificationValue({
            value: '0',
            identifier: `2fa-attempts-${identifier}`,
            expiresAt,
          })
          await c.setSignedCookie(cookie.name, identifier, c.context.secret, cookie.attributes)
          const target = c.context.responseHeaders?.get('location')
          throw c.redirect(target ? `${secondStepPath}?redirect=${encodeURIComponent(target)}` : secondStepPath)
        }),
      },
    ],
  },
})
