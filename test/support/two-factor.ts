import { createRecoveryCodes, createTotpSecret } from '../../src/platform/auth/two-factor.ts'
import { type AuthenticatorApp, anAuthenticatorApp } from './profile.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** An authenticator app and the printed recovery codes of a user. */
export interface SecondFactor extends AuthenticatorApp {
  recoveryCodes: string[]
}

/** Inserts a second factor into the database: no code was used, no email sent, no session ended. */
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

/** Turns the second factor on through the profile. @returns `used` is the code that confirmed it */
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
