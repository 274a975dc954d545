import { z } from 'zod'
import { limits } from './limits.ts'
import { counter, listQuery, rowId, rowIdText, several } from './list.ts'
import { locales } from './locales.ts'
import { baseRoleId } from './rights.ts'
import { roleInside } from './roles.ts'
import { emailAddress, line } from './text.ts'

/** Addresses are compared in lower case, as every mail service of today does. */
export const identifier = emailAddress.transform((email) => email.toLowerCase())

/** A password as it is chosen. Nothing is trimmed: what a person typed is what counts. */
export const newPassword = z
  .string({ error: 'type' })
  .min(limits.passwordMinChars, 'passwordMin')
  .max(limits.passwordMaxChars, 'tooLong')

/** An empty one is as none. */
const optionalPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  newPassword.optional(),
)

export const user = z
  .object({
    id: z.int(),
    /** The email. */
    username: z.string(),
    email: z.string(),
    name: z.string(),
    confirmed: z.literal(true),
    blocked: z.boolean(),
    locale: z.enum(locales),
    /** The base role, which everyone has. */
    role: roleInside,
    /** The role that carries rights for work. */
    user_role: roleInside.nullable(),
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

/** `{ username, email, name, password?, confirmed, blocked?, role: { connect: [1] }, user_role?: { set: [id] } }` */
/** What somebody is called until they say otherwise. */
export const nameFromEmail = (email: string) => email.slice(0, email.lastIndexOf('@')).slice(0, limits.nameChars)

const written = z.strictObject({
  /** Left out, or the same as the email. */
  username: z.string({ error: 'type' }).max(limits.emailChars, 'tooLong').optional(),
  email: identifier,
  /** Left out, a new user is called what stands before the @, and a known one keeps the name. */
  name: line(limits.nameChars).optional(),
  password: optionalPassword,
  confirmed: z.literal(true).optional(),
  /** Left out, a new user is not blocked, and a known one stays what they are. */
  blocked: z.boolean().optional(),
  locale: z.enum(locales).optional(),
  role: z.strictObject({ connect: z.array(z.literal(baseRoleId)).length(1) }).optional(),
  /** Left out, the relation is dropped. */
  user_role: z.strictObject({ set: z.array(rowId).max(1) }).optional(),
})
const usernameIsEmail = (one: { username?: string | undefined; email: string }) =>
  one.username === undefined || one.username.trim().toLowerCase() === one.email
const atUsername = { path: ['username'], error: 'usernameIsEmail' }

export const newUser = written.refine(usernameIsEmail, atUsername).meta({ id: 'NewUser' })
export const changedUser = written
  .extend({ version: counter.optional() })
  .refine(usernameIsEmail, atUsername)
  .meta({ id: 'ChangedUser' })
export type NewUser = z.infer<typeof newUser>
export type ChangedUser = z.infer<typeof changedUser>

/** The users that one call changes: all of them, or none when one may not be. */
export const manyUsers = z
  .strictObject({
    ids: z
      .array(rowId)
      .min(1, 'required')
      .max(limits.manyMost)
      .transform((ids) => [...new Set(ids)]),
  })
  .meta({ id: 'ManyUsers' })
export const manyUsersRole = z
  .strictObject({
    ...manyUsers.shape,
    /** The role for work; `null` takes it away. */
    roleId: rowId.nullable(),
  })
  .meta({ id: 'ManyUsersRole' })
export const usersNow = z.object({ data: z.array(user) }).meta({ id: 'UsersNow' })

export const passwordLinkWish = z
  .strictObject({
    /** `show`: the link is in the answer, for who hands it over; `mail`: it goes to the user alone. */
    by: z.enum(['show', 'mail']),
  })
  .meta({ id: 'PasswordLinkWish' })
export const passwordLink = z
  .object({
    /** With `show` alone. It works once. */
    url: z.string().optional(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'PasswordLink' })
export type PasswordLink = z.infer<typeof passwordLink>

export const userTemplates = ['newUser', 'updatedUser'] as const

/** A letter to a user about their account. Nothing of it is free text: what it says is true, or it is not sent. */
export const emailNotification = z
  .strictObject({
    /** There is one branding, the site's own, and every id means it. */
    brandingId: z.union([z.int().positive(), z.string().regex(/^[\w-]{1,40}$/)]),
    templateId: z.enum(userTemplates),
    /** The address of a user whom the caller may change. */
    to: identifier,
    /** The address of the sender, of a recipient of contact messages, or of the caller; left out, the sender's. */
    replyTo: identifier.optional(),
    /** The letter greets by the name that is stored. */
    name: line(limits.nameChars).optional(),
    /** The one that was just set. */
    password: optionalPassword,
  })
  .meta({ id: 'EmailNotification' })
export type EmailNotification = z.infer<typeof emailNotification>

export const userSorts = ['name', 'email', 'createdAt', 'lastSignedInAt'] as const
export const userFilters = z.strictObject({
  roleId: several(rowIdText),
  blocked: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})
export const userQuery = listQuery(userSorts).extend(userFilters.shape)
export type UserQuery = z.infer<typeof userQuery>
/** Which users an export holds: all that the same list would show, in the same order. */
export const exportQuery = userQuery.omit({ page: true, pageSize: true })
export type ExportQuery = z.infer<typeof exportQuery>
