import { z } from 'zod'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { adminLocales } from './locales.ts'
import { embeddedRole, rightName } from './roles.ts'
import { singleLine, toLatinDigits } from './text.ts'
import { identifier, newPassword } from './users.ts'

/** The signed-in user, with their rights. */
export const me = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    locale: z.enum(adminLocales),
    role: embeddedRole,
    user_role: embeddedRole.nullable(),
    /** The rights of both roles. */
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
    /** A new address that the user has not confirmed yet. */
    newEmail: z.string().nullable(),
    twoFactor: z.boolean(),
    /** Whether the user gets an email when a page is offered for review, or sent back to them. */
    reviewEmails: z.boolean(),
    hasPassword: z.boolean(),
    passkeys: z.array(passkey),
    version: z.int(),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof profile>

/** What users can change of their own account: neither role nor rights. */
export const changedProfile = z.strictObject({
  name: singleLine(limits.nameChars),
  email: identifier,
  locale: z.enum(adminLocales),
  /** Omitted: unchanged. */
  reviewEmails: z.boolean().optional(),
  currentPassword: z.string().max(limits.passwordMaxChars).optional(),
  password: z.preprocess((value) => (value === '' || value === null ? undefined : value), newPassword.optional()),
  version: counter.optional(),
})
export type ChangedProfile = z.infer<typeof changedProfile>

export const session = z
  .object({
    id: z.int(),
    current: z.boolean(),
    /** The browser's User-Agent header. */
    userAgent: z.string().nullable(),
    signedInAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof session>

/** The setup of an authenticator app, shown once. */
export const twoFactorStart = z
  .object({
    /** Base32, for manual entry. */
    secret: z.string(),
    /** `otpauth://totp/…` */
    uri: z.string(),
    /** The URI as a QR code, in SVG. */
    qr: z.string(),
  })
  .meta({ id: 'TwoFactorStart' })
export type TwoFactorStart = z.infer<typeof twoFactorStart>

/** The code of an authenticator app; spaces and Persian digits are accepted. */
const appCode = z
  .string({ error: 'required' })
  .max(limits.codeChars, 'tooLong')
  .transform((text) => toLatinDigits(text).replace(/[\s-]/g, ''))
  .pipe(
    z
      .string()
      .min(1, 'required')
      .regex(/^\d{6}$/, 'wrongCode'),
  )
export const twoFactorVerify = z.strictObject({ code: appCode })

/** Codes that replace the app, each once. They are shown only when they are generated. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/** Users without a password omit it. */
export const passwordConfirmation = z.strictObject({
  password: z.string().max(limits.passwordMaxChars, 'tooLong').optional(),
})

/** Bytes in base64url. */
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

/** `response`: the result of `PublicKeyCredential.toJSON()`; additional fields are ignored. */
export const newPasskey = z.strictObject({
  name: singleLine(limits.passkeyNameChars),
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
