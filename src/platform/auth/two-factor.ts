import { randomInt } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Auth } from './auth.ts'

/** Letters and digits that nobody reads as another one. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codes = { amount: 10, halfChars: 5 }

/**
 * A new secret for somebody's authenticator app, in the form in which Better Auth's sign-in reads it. Load this module
 * when it is needed: it brings the cryptography of Better Auth along.
 * @param account what the app calls it
 * @returns `kept` is encrypted with the program's secret
 */
export async function newSecret(
  auth: Auth,
  issuer: string,
  account: string,
): Promise<{ secret: string; uri: string; kept: string }> {
  const { secretConfig } = await auth.$context
  const made = generateRandomString(32)
  // Apps show a plus as a plus, so a blank is written the other way.
  const uri = createOTP(made).url(issuer, account).replaceAll('+', '%20')
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return { secret, uri, kept: await symmetricEncrypt({ key: secretConfig, data: made }) }
}

/** Whether an app with this secret shows the code now, half a minute early or late. */
export async function isCodeOf(auth: Auth, kept: string, code: string): Promise<boolean> {
  const { secretConfig } = await auth.$context
  return createOTP(await symmetricDecrypt({ key: secretConfig, data: kept })).verify(code)
}

/** Ten codes of fifty bits, as Better Auth's sign-in takes them. */
export async function newRecoveryCodes(auth: Auth): Promise<{ shown: string[]; kept: string }> {
  const { secretConfig } = await auth.$context
  const half = () => Array.from({ length: codes.halfChars }, () => alphabet[randomInt(alphabet.length)]).join('')
  const shown = Array.from({ length: codes.amount }, () => `${half()}-${half()}`)
  return { shown, kept: await symmetricEncrypt({ key: secretConfig, data: JSON.stringify(shown) }) }
}
