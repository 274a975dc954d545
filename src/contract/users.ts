import { z } from 'zod'
import { limits } from './limits.ts'
import { counter, listQuery, repeatedQuery, rowId, rowIdText } from './list.ts'
import { adminLocales } from './locales.ts'
import { baseRoleId } from './rights.ts'
import { embeddedRole } from './roles.ts'
import { emailAddress, singleLine } from './text.ts'

/** The email address of an account, in lower case: mail services do not distinguish case in practice. */
export const identifier = emailAddress.transform((email) => email.toLowerCase())

/**
 * An email address that an identity provider has verified. It is checked before it is normalised: with digits of
 * another script it would be another mailbox.
 */
export const verifiedIdentifier = z.email().pipe(identifier)

/** A new password. It is not trimmed. */
export const newPassword = z
  .string({ error: 'type' })
  .min(1, { error: 'required', abort: true })
  .min(limits.passwordMinChars, 'passwordMin')
  .max(limits.passwordMaxChars, 'tooLong')

/** An empty string counts as omitted. */
const optionalPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  newPassword.optional(),
)

export const user = z
  .object({
    id: z.int(),
    /** The email address. */
    username: z.string(),
    email: z.string(),
    name: z.string(),
    confirmed: z.literal(true),
    blocked: z.boolean(),
    locale: z.enum(adminLocales),
    /** The base role, which every user has. */
    role: embeddedRole,
    /** The user's own role. */
    user_role: embeddedRole.nullable(),
    twoFactor: z.boolean(),
    hasPassword: z.boolean(),
    lastSignedInAt: z.iso.datetime().nullable(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    can: z.object({ change: z.boolean(), block: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** The default name of a new user: the part of the address before the @. */
export const nameFromEmail = (email: string) => email.slice(0, email.lastIndexOf('@')).slice(0, limits.nameChars)

/** `{ username, email, name, password?, confirmed, blocked?, role: { connect: [1] }, user_role?: { set: [id] } }` */
const userInput = z.strictObject({
  /** Omitted, or equal to the email. */
  username: z.string({ error: 'type' }).max(limits.emailChars, 'tooLong').optional(),
  email: identifier,
  /** Omitted: `nameFromEmail` for a new user; an existing user keeps the name. */
  name: singleLine(limits.nameChars).optional(),
  password: optionalPassword,
  confirmed: z.literal(true).optional(),
  /** Omitted: a new user is not blocked, and an existing user stays unchanged. */
  blocked: z.boolean().optional(),
  locale: z.enum(adminLocales).optional(),
  role: z.strictObject({ connect: z.array(z.literal(baseRoleId)).length(1) }).optional(),
  /** The user's own role; omitted: the role is removed. */
  user_role: z.strictObject({ set: z.array(rowId).max(1) }).optional(),
})
const usernameIsEmail = ({ username, email }: { username?: string | undefined; email: string }) =>
  username === undefined || username.trim().toLowerCase() === email
const atUsername = { path: ['username'], error: 'usernameIsEmail' }

export const newUser = userInput.refine(usernameIsEmail, atUsername).meta({ id: 'NewUser' })
export const changedUser = userInput
  .extend({ version: counter.optional() })
  .refine(usernameIsEmail, atUsername)
  .meta({ id: 'ChangedUser' })
export type NewUser = z.infer<typeof newUser>
export type ChangedUser = z.infer<typeof changedUser>

/** The users of a bulk change. When the change of one user is refused, no user is changed. */
export const userSelection = z
  .strictObject({
    ids: z
      .array(rowId)
      .min(1, 'required')
      .max(limits.bulkIdsMax)
      .transform((ids) => [...new Set(ids)]),
  })
  .meta({ id: 'ManyUsers' })
export const userSelectionRole = z
  .strictObject({
    ...userSelection.shape,
    /** The user's own role; `null` removes it. */
    roleId: rowId.nullable(),
  })
  .meta({ id: 'ManyUsersRole' })
export const changedUsers = z.object({ data: z.array(user) }).meta({ id: 'UpdatedUsers' })

export const passwordLinkRequest = z
  .strictObject({
    /** `show`: the link is in the response, to be passed on; `mail`: it is emailed to the user. */
    by: z.enum(['show', 'mail']),
  })
  .meta({ id: 'PasswordLinkRequest' })
export const passwordLink = z
  .object({
    /** Only with `show`; works once. */
    url: z.string().optional(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'PasswordLink' })
export type PasswordLink = z.infer<typeof passwordLink>

const userTemplates = ['newUser', 'updatedUser'] as const

/** The id of the only branding, which is that of the site. */
export const siteBrandingId = 1

/**
 * An email to a user about their account. Its fields are verified, and there is no free text, so that it cannot be
 * misused to send other content. Unknown fields are ignored.
 */
export const emailNotification = z
  .object({
    /** The branding of the email: `1` or `default` is the site's. */
    brandingId: z
      .union([z.int(), z.string().max(40)])
      .refine((id) => [`${siteBrandingId}`, 'default'].includes(`${id}`), 'unknownBranding'),
    templateId: z.enum(userTemplates),
    /** The address of a user whom the actor may change. */
    to: identifier,
    /** The sender's address, a recipient of contact messages, or the actor's own; omitted: the sender's. */
    replyTo: identifier.optional(),
    /** Ignored: the email uses the stored name. */
    name: singleLine(limits.nameChars).optional(),
    /** The new password of the user. */
    password: optionalPassword,
  })
  .meta({ id: 'EmailNotification' })
export type EmailNotification = z.infer<typeof emailNotification>

export const userSorts = ['name', 'email', 'createdAt', 'lastSignedInAt'] as const
const userFilters = z.strictObject({
  roleId: repeatedQuery(rowIdText),
  blocked: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})
export const userQuery = listQuery(userSorts).extend(userFilters.shape)
export type UserQuery = z.infer<typeof userQuery>
/** An export has the filters and the order of the list. */
export const exportQuery = userQuery.omit({ page: true, pageSize: true })
export type ExportQuery = z.infer<typeof exportQuery>
