import { Secret, TOTP } from 'otpauth'
import { createRecoveryCodes, createTotpSecret } from '../../src/platform/auth/two-factor.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

export interface AuthenticatorApp {
  /** The code of now, or of `stepsOff` steps of half a minute later (negative: earlier). The next code is already valid. */
  code(stepsOff?: number): string
}

/** An authenticator app with this secret, in Base32. */
export function anAuthenticatorApp(secret: string): AuthenticatorApp {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return { code: (stepsOff = 0) => totp.generate({ timestamp: Date.now() + stepsOff * 30_000 }) }
}

/** An authenticator app and the printed recovery codes of a user. */
export interface SecondFactor extends AuthenticatorApp {
  recoveryCodes: string[]
}

/** Inserts a second factor into the database. Unlike turning it on this uses no code, sends no email and ends no session. */
export async function aSecondFactor(site: TestApp, userId: number): Promise<SecondFactor> {
  const auth = await site.app.context().auth()
  const { secret, encryptedSecret } = await createTotpSecret(auth, 'test', 'test')
  const codes = await createRecoveryCodes(auth)
  await site.db
    .insertInto('two_factor')
    .values({ user_id: userId, secret: encryptedSecret, backup_codes: codes.encrypted, verified: 1 })
    .execute()
  await site.db.updateTable('user').set({ two_factor_enabled: 1 }).where('id', '=', userId).execute()
  return { ...anAuthenticatorApp(secret), recoveryCodes: codes.codes }
}

/** Turns on the second factor through the API of the profile. @returns `used`: the code of the app that confirmed it */
export async function turnOnTwoFactor(
  person: Pick<SignedIn, 'post'>,
): Promise<{ app: AuthenticatorApp; used: string; recoveryCodes: string[] }> {
  const started = await (await person.post('/api/profile/two-factor')).json()
  const app = anAuthenticatorApp(started.secret)
  const used = app.code()
  const on = await person.post('/api/profile/two-factor/verify', { code: used })
  if (on.status !== 200) throw new Error(`the second step was not turned on: ${await on.text()}`)
  return { app, used, ...(await on.json()) }
}
