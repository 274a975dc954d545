import type { Context as HonoContext } from 'hono'
import { deleteCookie } from 'hono/cookie'
import type { z } from 'zod'
import { Refusal } from '../contract/errors.ts'
import type { usedPasskey } from '../contract/profile.ts'
import type { SignIn } from '../contract/sign-in.ts'
import { identifier } from '../contract/users.ts'
import { countAnonymousAttempt, countAttempt, countSignInStart } from '../domain/sign-in/limit-attempts.ts'
import { requestPasswordLink } from '../domain/sign-in/password-link.ts'
import {
  endSessionByToken,
  endSessionIfPasswordChanged,
  findActor,
  findPasswordSnapshot,
  recordSignIn,
} from '../domain/sign-in/sessions.ts'
import { hashPassword, withHashPriority } from '../platform/auth/password.ts'
import { AuthError, callAuth, callAuthWithoutCookies, forwardCookies } from './auth-call.ts'
import { clientOrigin, setKnownBrowserCookie } from './client-origin.ts'
import type { Env } from './env.ts'
import { sessionCookieName } from './page-cache.ts'
import { requestLocale } from './request-locale.ts'
import { sessionToken } from './session.ts'

/** How long Better Auth locks the second factor after ten wrong codes. */
const lockedSeconds = 900

/**
 * Signs a user in with a password; the session cookie is set.
 * @throws {Refusal} `wrong_login`, whatever the reason; `too_many`; `password_expired` for the right password of a user
 *   who must choose another: an email with a link for it is queued
 */
export async function signIn(c: HonoContext<Env>, input: SignIn): Promise<{ secondStep: boolean }> {
  const { ctx } = c.var
  const parsed = identifier.safeParse(input.identifier)
  const name = parsed.success ? parsed.data : input.identifier.trim().toLowerCase()
  const attempt = await countAttempt(ctx, name, clientOrigin(c))
  const auth = await ctx.auth()
  return runCountedAttempt(attempt, 'wrong_login', async () => {
    if (!parsed.success) {
      // Better Auth would refuse this faster than a wrong password, which reveals the difference.
      await hashPassword(input.password)
      throw new AuthError('INVALID_EMAIL', 400)
    }
    const body = { email: parsed.data, password: input.password }
    const passwordBefore = await findPasswordSnapshot(ctx, parsed.data)
    const signInEmail = () =>
      callAuthWithoutCookies(c, auth, (auth, headers) => auth.api.signInEmail({ body, headers, returnHeaders: true }))
    const signedIn = await (attempt.isKnownClient ? withHashPriority(signInEmail) : signInEmail())
    const passwordState = await endSessionIfPasswordChanged(ctx, passwordBefore, sessionTokenIn(signedIn.headers))
    if (passwordState === 'changed') throw new AuthError('PASSWORD_CHANGED', 401)
    if (passwordState === 'expired') {
      const locale = requestLocale(c.req.raw)
      await requestPasswordLink(ctx, { email: parsed.data, locale }, clientOrigin(c))
      throw new Refusal('password_expired')
    }
    return signedIn
  }).then(({ headers }) => completeSignIn(c, headers))
}

/**
 * Verifies the second factor, a code of the authenticator app or a recovery code, and signs the user in. Only the
 * cookie of the pending sign-in is passed on, never a session.
 * @throws {Refusal} `invalid` for a wrong code, `signed_out` when no sign-in is pending, `too_many`
 */
export async function verifySecondStep(c: HonoContext<Env>, input: { code: string }): Promise<void> {
  const { ctx } = c.var
  const attempt = await countAnonymousAttempt(ctx, clientOrigin(c))
  const auth = await ctx.auth()
  const { code } = input
  const { headers } = await runCountedAttempt(attempt, 'signed_out', () =>
    callAuthWithoutCookies(
      c,
      auth,
      (auth, headers) =>
        /^\d{6}$/.test(code)
          ? auth.api.verifyTOTP({ body: { code }, headers, returnHeaders: true })
          : auth.api.verifyBackupCode({ body: { code }, headers, returnHeaders: true }),
      'two_factor',
    ),
  )
  await completeSignIn(c, headers)
}

/**
 * The options for `navigator.credentials.get`.
 * @throws {Refusal} `too_many`
 */
export async function createPasskeyChallenge(c: HonoContext<Env>): Promise<{ challenge: string }> {
  const { ctx } = c.var
  await countSignInStart(ctx, clientOrigin(c))
  const options = await callAuth(c, await ctx.auth(), (auth, headers) =>
    auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
  )
  // Without user verification a passkey would be a single factor.
  return { ...options, userVerification: 'required' } as { challenge: string }
}

/**
 * Signs a user in with a passkey, which is two factors at once.
 * @throws {Refusal} `wrong_login`, `too_many`
 */
export async function signInByPasskey(c: HonoContext<Env>, input: z.infer<typeof usedPasskey>): Promise<void> {
  const { ctx } = c.var
  const attempt = await countAnonymousAttempt(ctx, clientOrigin(c))
  const auth = await ctx.auth()
  // No extensions are requested, so their results are ignored.
  const response = { ...input.response, clientExtensionResults: {} }
  const { headers } = await runCountedAttempt(attempt, 'wrong_login', () =>
    callAuthWithoutCookies(c, auth, (auth, headers) =>
      auth.api.verifyPasskeyAuthentication({ body: { response: response as never }, headers, returnHeaders: true }),
    ),
  )
  await completeSignIn(c, headers)
}

/** Ends the session and clears its cookie. If the session cannot be ended, only the cookie is cleared. */
export async function signOut(c: HonoContext<Env>): Promise<void> {
  try {
    await callAuth(c, await c.var.ctx.auth(), (auth, headers) => auth.api.signOut({ headers, returnHeaders: true }))
  } catch (error) {
    c.var.ctx.log.warn({ err: error }, 'a session was not ended')
    const secure = c.var.ctx.requestOrigin.startsWith('https:')
    const name = secure ? `__Secure-${sessionCookieName}` : sessionCookieName
    deleteCookie(c, name, { path: '/', secure, httpOnly: true, sameSite: 'Lax' })
  }
}

/** Runs one counted attempt. The count stays after an `AuthError`, and is reverted otherwise. */
async function runCountedAttempt<T>(
  attempt: { uncount(): Promise<void> },
  defaultCode: 'wrong_login' | 'signed_out',
  work: () => Promise<T>,
): Promise<T> {
  const result = await work().catch(async (error: unknown) => {
    if (error instanceof AuthError) throw refusalFor(error, defaultCode)
    await attempt.uncount()
    throw error
  })
  await attempt.uncount()
  return result
}

/** Better Auth's codes for a wrong second factor. `CONFLICT`: a recovery code that could not be stored as used. */
const wrongCodes = ['INVALID_CODE', 'INVALID_BACKUP_CODE', 'CONFLICT']

function refusalFor({ code }: AuthError, defaultCode: 'wrong_login' | 'signed_out'): Refusal {
  if (wrongCodes.includes(code)) return new Refusal('invalid', { problems: [{ path: 'code', key: 'wrongCode' }] })
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED') return new Refusal('too_many', { retryAfter: lockedSeconds })
  return new Refusal(defaultCode)
}

/**
 * The last step of every way to sign in: sets the new cookies, ends the session that the browser had (against session
 * fixation), and marks the browser as known.
 * @param headers the headers of Better Auth's response
 * @returns `secondStep`: a code must follow, and there is no session yet
 */
export async function completeSignIn(c: HonoContext<Env>, headers: Headers): Promise<{ secondStep: boolean }> {
  const { ctx } = c.var
  const tokenBefore = sessionToken(c)
  const token = sessionTokenIn(headers)
  forwardCookies(c, headers)
  const actor = await findActor(ctx, token)
  if (!actor) {
    if (tokenBefore) await endSessionByToken(ctx, tokenBefore)
    return { secondStep: true }
  }
  await recordSignIn(ctx, { user: actor, client: setKnownBrowserCookie(c), tokenBefore })
  return { secondStep: false }
}

/** The token that `Set-Cookie` headers put in the session cookie, without its signature; the last header counts. */
function sessionTokenIn(headers: Headers): string | undefined {
  const setCookie = headers.getSetCookie().findLast((header) => header.split('=')[0]?.endsWith(sessionCookieName))
  const value = decodeURIComponent(setCookie?.split(';')[0]?.split('=').slice(1).join('=') ?? '')
  return value.slice(0, Math.max(0, value.lastIndexOf('.'))) || undefined
}
