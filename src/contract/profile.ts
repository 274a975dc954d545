import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { locales } from './locales.ts'
import { rightName, roleInside } from './roles.ts'
import { line } from './text.ts'
import { identifier, newPassword } from './users.ts'

/** Who is signed in, and what they may do. */
export const me = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    locale: z.enum(locales),
    role: roleInside,
    user_role: roleInside.nullable(),
    /** Those of both roles. */
    rights: z.array(rightName),
  })
  .meta({ id: 'Me' })

export const passkey = z
  .object({ id: z.int(), name: z.string(), createdAt: z.iso.datetime().nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkey>

export const profile = z
  .object({
    ...me.omit({ rights: true }).shape,
    /** An address that waits for its confirmation by mail. */
    newEmail: z.string().nullable(),
    twoFactor: z.boolean(),
    hasPassword: z.boolean(),
    passkeys: z.array(passkey),
    version: z.int(),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof profile>

/** Nothing of roles or rights: the profile changes the person alone. */
export const changedProfile = z.strictObject({
  name: line(limits.nameChars),
  email: identifier,
  locale: z.enum(locales),
  currentPassword: z.string().max(limits.passwordMaxChars).optional(),
  password: z.preprocess((value) => (value === '' || value === null ? undefined : value), newPassword.optional()),
  version: counter.optional(),
})
export type ChangedProfile = z.infer<typeof changedProfile>

export const device = z
  .object({
    id: z.int(),
    current: z.boolean(),
    /** As the browser calls itself. */
    userAgent: z.string().nullable(),
    signedInAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof device>

/** What an authenticator app is set up with. It is shown once. */
export const twoFactorStart = z
  .object({
    /** Base32, for typing it over. */
    secret: z.string(),
    /** `otpauth://totp/…` */
    uri: z.string(),
    /** The same as a picture to scan, an SVG. */
    qr: z.string(),
  })
  .meta({ id: 'TwoFactorStart' })
export type TwoFactorStart = z.infer<typeof twoFactorStart>

/** As people type it over: `123 456`, or in Persian digits. */
export const appCode = z
  .string({ error: 'required' })
  .max(limits.codeChars, 'tooLong')
  .transform((text) => latinDigits(text).replace(/[\s-]/g, ''))
  .pipe(
    z
      .string()
      .min(1, 'required')
      .regex(/^\d{6}$/, 'wrongCode'),
  )
export const twoFactorVerify = z.strictObject({ code: appCode })

/** Shown once; each opens the account once, without the app. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/** Whoever has no password leaves it out. */
export const passwordAgain = z.strictObject({ password: z.string().max(limits.passwordMaxChars, 'tooLong').optional() })

const bytes = z
  .string({ error: 'type' })
  .max(limits.passkeyAnswerChars)
  .regex(/^[\w-]*$/)
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(30).nullish(),
}

/** What `PublicKeyCredential.toJSON()` gives; browsers add to it, and what is added is left unread. */
export const newPasskey = z.strictObject({
  name: line(limits.passkeyNameChars),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,30}$/))
        .max(10)
        .optional(),
    }),
  }),
})
export const renamedPasskey = newPasskey.pick({ name: true })
export const usedPasskey = z.strictObject({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.nullish(),
    }),
  }),
})
/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()`. */
export const passkeyOptions = z.looseObject({ challenge: z.string() }).meta({ id: 'PasskeyOptions' })
