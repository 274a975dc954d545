import type { Context as HonoContext } from 'hono'
import { deleteCookie } from 'hono/cookie'
import type { z } from 'zod'
import { Refusal } from '../contract/errors.ts'
import type { usedPasskey } from '../contract/profile.ts'
import type { SignIn } from '../contract/sign-in.ts'
import { identifier } from '../contract/users.ts'
import { countAttempt, countBeginning, countUnnamed } from '../domain/sign-in/limit-attempts.ts'
import { keepIfSame, passwordBefore } from '../domain/sign-in/same-password.ts'
import { beforeStrangers, hashPassword } from '../platform/auth/password.ts'
import { AuthRefused, askAuth, callAuth } from './auth-call.ts'
import { completeSignIn, givenToken } from './complete-sign-in.ts'
import type { Env } from './env.ts'
import { sessionCookie } from './kept-answers.ts'
import { placeOf } from './place.ts'

/** What Better Auth locks a second factor for, after ten wrong codes. */
const lockedSeconds = 900

/**
 * Signs somebody in; the session's cookie goes into the answer.
 * @throws {Refusal} `wrong_login`, whatever the reason; `too_many`
 */
export async function signIn(c: HonoContext<Env>, input: SignIn): Promise<{ secondStep: boolean }> {
  const { ctx } = c.var
  const parsed = identifier.safeParse(input.identifier)
  const who = parsed.success ? parsed.data : input.identifier.trim().toLowerCase()
  const tries = await countAttempt(ctx, who, placeOf(c))
  const auth = await ctx.auth()
  return counted(tries, 'wrong_login', async () => {
    if (!parsed.success) {
      // Better Auth would refuse this at once; all that is wrong takes the same time.
      await hashPassword(input.password)
      throw new AuthRefused('INVALID_EMAIL', 400)
    }
    const body = { email: parsed.data, password: input.password }
    const before = await passwordBefore(ctx, parsed.data)
    const ask = () => askAuth(c, auth, (auth, headers) => auth.api.signInEmail({ body, headers, returnHeaders: true }))
    const done = await (tries.known ? beforeStrangers(ask) : ask())
    if (!(await keepIfSame(ctx, before, givenToken(done.headers)))) throw new AuthRefused('PASSWORD_CHANGED', 401)
    return done
  }).then(({ headers }) => completeSignIn(c, headers))
}

/**
 * The second step: a code of the app, or a recovery code. Of the cookies only the one that waits for it is looked at:
 * a session, of whomever, opens nothing here.
 * @throws {Refusal} `invalid` for a wrong code, `signed_out` when nothing waits any more, `too_many`
 */
export async function takeSecondStep(c: HonoContext<Env>, input: { code: string }): Promise<void> {
  const { ctx } = c.var
  const tries = await countUnnamed(ctx, placeOf(c))
  const auth = await ctx.auth()
  const { code } = input
  const { headers } = await counted(tries, 'signed_out', () =>
    askAuth(
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
 * What a browser asks a passkey with.
 * @throws {Refusal} `too_many`
 */
export async function passkeyQuestion(c: HonoContext<Env>): Promise<{ challenge: string }> {
  const { ctx } = c.var
  await countBeginning(ctx, placeOf(c))
  const options = await callAuth(c, await ctx.auth(), (auth, headers) =>
    auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
  )
  // A key that does not look who holds it would be one factor alone.
  return { ...options, userVerification: 'required' } as { challenge: string }
}

/**
 * Signs somebody in by a passkey, which is two factors at once.
 * @throws {Refusal} `wrong_login`, `too_many`
 */
export async function signInByPasskey(c: HonoContext<Env>, input: z.infer<typeof usedPasskey>): Promise<void> {
  const { ctx } = c.var
  const tries = await countUnnamed(ctx, placeOf(c))
  const auth = await ctx.auth()
  // Extensions are none of what is asked, so none of their results is looked at.
  const response = { ...input.response, clientExtensionResults: {} }
  const { headers } = await counted(tries, 'wrong_login', () =>
    askAuth(c, auth, (auth, headers) =>
      auth.api.verifyPasskeyAuthentication({ body: { response: response as never }, headers, returnHeaders: true }),
    ),
  )
  await completeSignIn(c, headers)
}

/** Ends the session and clears its cookie; what fails on the way is no reason to stay signed in. */
export async function signOut(c: HonoContext<Env>): Promise<void> {
  try {
    await callAuth(c, await c.var.ctx.auth(), (auth, headers) => auth.api.signOut({ headers, returnHeaders: true }))
  } catch (error) {
    c.var.ctx.log.warn({ err: error }, 'a session was not ended')
    const secure = c.var.ctx.reached.startsWith('https:')
    const name = sessionCookie.slice(0, -1)
    deleteCookie(c, secure ? `__Secure-${name}` : name, { path: '/', secure, httpOnly: true, sameSite: 'Lax' })
  }
}

/** Does one counted try: a refusal leaves it counted, all else takes it back. */
async function counted<T>(
  tries: { takeBack(): Promise<void> },
  refusal: 'wrong_login' | 'signed_out',
  work: () => Promise<T>,
): Promise<T> {
  const done = await work().catch(async (error: unknown) => {
    if (error instanceof AuthRefused) throw refusalFor(error, refusal)
    await tries.takeBack()
    throw error
  })
  await tries.takeBack()
  return done
}

const wrongCodes = ['INVALID_CODE', 'INVALID_BACKUP_CODE', 'CONFLICT']

function refusalFor({ code }: AuthRefused, otherwise: 'wrong_login' | 'signed_out'): Refusal {
  if (wrongCodes.includes(code)) return new Refusal('invalid', { problems: [{ path: 'code', key: 'wrongCode' }] })
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED') return new Refusal('too_many', { retryAfter: lockedSeconds })
  return new Refusal(otherwise)
}
