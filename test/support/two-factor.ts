import { newRecoveryCodes, newSecret } from '../../src/platform/auth/two-factor.ts'
import { type AuthenticatorApp, anApp } from './profile.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Somebody's authenticator app, and the codes that they printed. */
export interface SecondFactor extends AuthenticatorApp {
  recoveryCodes: string[]
}

/** Puts a second factor in the database as the program would: no code of it was used, no letter sent, no session ended. */
export async function aSecondFactor(site: TestApp, userId: number): Promise<SecondFactor> {
  const auth = await site.app.context().auth()
  const { secret, kept } = await newSecret(auth, 'test', 'test')
  const codes = await newRecoveryCodes(auth)
  await site.db
    .insertInto('two_factor')
    .values({ user_id: userId, secret: kept, backup_codes: codes.kept, verified: 1 })
    .execute()
  await site.db.updateTable('user').set({ two_factor_enabled: 1 }).where('id', '=', userId).execute()
  return { ...anApp(secret), recoveryCodes: codes.shown }
}

/** Somebody turns the second step on in the profile. @returns `used` is the code that it was done with */
export async function turnOnTwoFactor(
  person: Pick<SignedIn, 'post'>,
): Promise<{ app: AuthenticatorApp; used: string; recoveryCodes: string[] }> {
  const started = await (await person.post('/api/profile/two-factor')).json()
  const app = anApp(started.secret)
  const used = app.code()
  const on = await person.post('/api/profile/two-factor/verify', { code: used })
  if (on.status !== 200) throw new Error(`the second step was not turned on: ${await on.text()}`)
  return { app, used, ...(await on.json()) }
}
