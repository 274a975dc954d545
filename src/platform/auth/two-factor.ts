import { randomInt } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Auth } from './auth.ts'

/** Letters and digits that cannot be confused with each other. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryCode = { count: 10, halfChars: 5 }

/**
 * Creates a secret for an authenticator app. Import this module lazily: it loads Better Auth's cryptography.
 * @param account the name that the app shows
 * @returns the secret in base32, its `otpauth:` URI, and the encrypted secret as Better Auth's sign-in reads it
 */
export async function createTotpSecret(
  auth: Auth,
  issuer: string,
  account: string,
): Promise<{ secret: string; uri: string; encryptedSecret: string }> {
  const { secretConfig } = await auth.$context
  const plainSecret = generateRandomString(32)
  // Apps show a plus in the name as a plus, so spaces are encoded as %20.
  const uri = createOTP(plainSecret).url(issuer, account).replaceAll('+', '%20')
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return { secret, uri, encryptedSecret: await symmetricEncrypt({ key: secretConfig, data: plainSecret }) }
}

/** Whether the code is valid for this secret, with one step (half a minute) of tolerance either way. */
export async function verifyTotpCode(auth: Auth, encryptedSecret: string, code: string): Promise<boolean> {
  const { secretConfig } = await auth.$context
  return createOTP(await symmetricDecrypt({ key: secretConfig, data: encryptedSecret })).verify(code)
}

/** Creates ten recovery codes of fifty bits. @returns `encrypted` in the form that Better Auth's sign-in reads */
export async function createRecoveryCodes(auth: Auth): Promise<{ codes: string[]; encrypted: string }> {
  const { secretConfig } = await auth.$context
  const half = () => Array.from({ length: recoveryCode.halfChars }, () => alphabet[randomInt(alphabet.length)]).join('')
  const codes = Array.from({ length: recoveryCode.count }, () => `${half()}-${half()}`)
  return { codes, encrypted: await symmetricEncrypt({ key: secretConfig, data: JSON.stringify(codes) }) }
}
