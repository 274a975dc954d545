import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { limits } from '../../contract/limits.ts'
import { singleLine } from '../../contract/text.ts'
import { verifiedIdentifier } from '../../contract/users.ts'
import type { Settings } from '../config/settings.ts'
import { type Database, isDatabaseUnavailable } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import { authAdapter } from './adapter.ts'
import { consumeTotpCode, isBlockedOrDeleted, recordProviderLinked, recordUserFromProvider } from './auth.queries.ts'
import { currentConnection } from './current-transaction.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { oidcCallbackPath, oidcProvider, secondStepPath } from './paths.ts'

/** User agents of browsers are shorter; a longer one is truncated. */
const maxAgentChars = 300

export type Auth = ReturnType<typeof createAuth>

/**
 * Better Auth, configured for this program. Its router is not mounted: use cases call it, after their own checks.
 * Import this module lazily; it is a quarter of the program.
 */
export function createAuth(options: {
  db: Database
  origin: string
  secret: string
  brand: string
  oidc: Settings['oidc']
  log: Log
}) {
  const { db, origin, secret, brand, oidc, log } = options
  const mayNotSignIn = (id: unknown) => isBlockedOrDeleted(currentConnection(db), Number(id))
  return betterAuth({
    appName: brand,
    baseURL: origin,
    basePath: '/api/auth',
    secrets: [{ version: 1, value: secret }],
    database: authAdapter(db),
    telemetry: { enabled: false },
    experimental: { instrumentation: { enabled: false } },
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      disableColors: true,
      // Better Auth logs refusals as errors, and its further arguments may contain user input.
      log(_level, message, error) {
        // The passkey plugin logs any error and then refuses the passkey: an error thrown here replaces that refusal.
        if (/^Failed to verify /.test(message) && isDatabaseUnavailable(error)) throw error
        log[/INTERNAL_SERVER_ERROR/.test(message) ? 'error' : 'info']({ auth: message }, 'sign-in')
      },
    },
    trustedOrigins: [origin],
    onAPIError: { errorURL: `${origin}/login` },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordMinChars,
      maxPasswordLength: limits.passwordMaxChars,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: {
      modelName: 'user',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      validateUserInfo: async ({ user, source }) => {
        if (source.method !== 'oauth') return
        if (source.action === 'sign-in') return (await mayNotSignIn(user.id)) ? { error: 'blocked' } : undefined
        if (user.emailVerified !== true) return { error: 'email_not_verified' }
        if (source.action === 'link-account' && (await mayNotSignIn(user.id))) return { error: 'blocked' }
      },
    },
    session: {
      modelName: 'session',
      expiresIn: limits.sessionDays * 86_400,
      updateAge: 3_600,
      // The age of a sign-in is checked with `confirmed_at`: see `domain/sign-in`.
      freshAge: 0,
      cookieCache: { enabled: false },
      fields: {
        userId: 'user_id',
        token: 'token_hash',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
    },
    account: {
      modelName: 'account',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      accountLinking: {
        enabled: true,
        trustedProviders: [],
        allowDifferentEmails: false,
        requireLocalEmailVerified: true,
      },
      updateAccountOnSignIn: false,
    },
    verification: {
      modelName: 'verification',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            if (await mayNotSignIn(session.userId)) return false
            // IP addresses are not stored; the user agent tells sessions apart.
            return { data: { ...session, ipAddress: null, userAgent: session.userAgent?.slice(0, maxAgentChars) } }
          },
        },
      },
      account: {
        create: {
          // The provider's tokens are secrets that are not needed again.
          before: async (account) => ({
            data: {
              ...account,
              accessToken: null,
              refreshToken: null,
              idToken: null,
              accessTokenExpiresAt: null,
              refreshTokenExpiresAt: null,
            } as never,
          }),
          after: async (account) => {
            if (account.providerId === oidcProvider)
              await recordProviderLinked(currentConnection(db), Number(account.userId))
          },
        },
      },
      user: {
        create: {
          after: async (user) =>
            await recordUserFromProvider(currentConnection(db), {
              id: String(user.id),
              name: user.name,
              email: user.email,
            }),
        },
      },
    },
    advanced: {
      cookiePrefix: 'etalage',
      useSecureCookies: origin.startsWith('https:'),
      database: { generateId: 'serial', validateSchema: false },
      ipAddress: { ipAddressHeaders: ['x-etalage-address'] },
    },
    plugins: [
      createGuards(db, secondStepPath),
      twoFactor({
        issuer: brand,
        // Users of an identity provider have no password; the session must still be fresh.
        allowPasswordless: true,
        backupCodeOptions: { storeBackupCodes: 'encrypted' },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factor',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      passkey({
        rpID: new URL(origin).hostname,
        rpName: brand,
        origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: async ({ verification }) => {
            if (!verification.registrationInfo?.userVerified) throw userNotVerified('BAD_REQUEST')
          },
        },
        authentication: {
          afterVerification: async ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw userNotVerified('UNAUTHORIZED')
          },
        },
        schema: {
          passkey: {
            fields: {
              userId: 'user_id',
              publicKey: 'public_key',
              credentialID: 'credential_id',
              deviceType: 'device_type',
              backedUp: 'backed_up',
              createdAt: 'created_at',
            },
          },
        },
      }),
      ...(oidc ? [createOidcPlugin(oidc, origin)] : []),
    ],
  })
}

/** The user was not verified on the device, so the passkey would be a single factor. */
const userNotVerified = (status: 'BAD_REQUEST' | 'UNAUTHORIZED') => new APIError(status, { code: 'USER_NOT_VERIFIED' })

function createOidcPlugin(oidc: NonNullable<Settings['oidc']>, origin: string) {
  return genericOAuth({
    config: [
      {
        providerId: oidcProvider,
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret,
        discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        pkce: true,
        scopes: ['openid', 'email', 'profile'],
        redirectURI: origin + oidcCallbackPath,
        // A `sub` is only unique within its issuer, and the setting may change; Better Auth refuses an empty id.
        accountSubject: ({ profile }) => (profile.sub ? `${oidc.issuer} ${profile.sub}` : ''),
        mapProfileToUser: (profile) => {
          // The values may be user input. Without a valid email address the sign-in is refused.
          const email = verifiedIdentifier.safeParse(profile.email).data ?? ''
          const name = singleLine(limits.nameChars).safeParse(profile.name).data ?? email
          return { email, name, image: undefined, emailVerified: profile.email_verified === true }
        },
      },
    ],
  })
}

/** How long a sign-in waits for its second factor. */
const secondStepSeconds = 600

/**
 * Rules that the other plugins lack: a TOTP code is valid once, and a sign-in through a provider needs the second
 * factor.
 */
const createGuards = (db: Database, secondStepPath: string): BetterAuthPlugin => ({
  id: 'etalage-guards',
  hooks: {
    before: [
      {
        matcher: (c) => c.path === '/two-factor/verify-totp',
        handler: createAuthMiddleware(async (c) => {
          const cookie = c.context.createAuthCookie('two_factor')
          const challenge = await c.getSignedCookie(cookie.name, c.context.secret)
          const session = await getSessionFromCtx(c)
          const pendingSignIn = challenge ? await c.context.internalAdapter.findVerificationValue(challenge) : undefined
          const userId = session?.user.id ?? pendingSignIn?.value
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
          const newSession = c.context.newSession
          if (!newSession?.user.twoFactorEnabled) return
          // Replaces the new session by a pending sign-in, in the form that the two-factor plugin reads.
          deleteSessionCookie(c, true)
          await c.context.internalAdapter.deleteSession(newSession.session.token)
          c.context.setNewSession(null)
          const cookie = c.context.createAuthCookie('two_factor', { maxAge: secondStepSeconds })
          const identifier = `2fa-${generateRandomString(20)}`
          const expiresAt = new Date(Date.now() + secondStepSeconds * 1_000)
          await c.context.internalAdapter.createVerificationValue({ value: newSession.user.id, identifier, expiresAt })
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
