import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { defaultLocale } from '../../contract/locales.ts'
import { type NewUser, nameFromEmail, type PasswordLink, type User } from '../../contract/users.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { type EmbeddedRole, findRolesById } from '../roles/list-roles.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { upsertPassword } from '../sign-in/account.queries.ts'
import { createMailedPasswordLink, createShownPasswordLink } from '../sign-in/links.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { auditedFields, auditSubject, getUserWithRoles, givesRights, presentUser } from './list-users.ts'
import { canChangeUser, canGiveRole, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail, insertUser } from './user.queries.ts'
import { aboutUser, type InvitationEmail, invitationTemplate } from './user-email.ts'

/**
 * Adds a user. Emails are sent by separate calls: `notifyUser`, or a password link.
 * @throws {Refusal} `right_not_held`, `password_needed` for a role with rights, `invalid` for an address that is taken
 * or a password that is easily guessed
 */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  allow(ctx, canWriteUsers)
  const hash = input.password === undefined ? undefined : await hashNewPassword(input.password, input.email)

  return ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const { base, requested } = await getRequestedRole(tx, input.user_role?.set[0], 'user_role.set.0')
    if (requested && !canGiveRole(actor, requested)) throw new Refusal('right_not_held')
    if (givesRights(requested, base)) requireConfirmed(ctx)

    const id = await insertUser(
      tx,
      {
        email: input.email,
        name: input.name ?? nameFromEmail(input.email),
        blocked: input.blocked ?? false,
        roleId: requested?.id ?? null,
        locale: input.locale ?? defaultLocale,
      },
      ctx.now(),
    )
    if (id === undefined) throw emailTaken()
    if (hash !== undefined) await upsertPassword(tx, id, { hash, chosenByOther: true }, ctx.now())
    const user = await getUserWithRoles(tx, id)
    await record(tx, ctx, { action: 'user.created', subject: auditSubject(user), after: auditedFields(user) })
    return presentUser(user, actor)
  })
}

/**
 * The base role, and the role that a request names: null for none.
 * @param path of the role in the request
 * @throws {Refusal} `invalid` when the role does not exist
 */
export async function getRequestedRole(
  tx: Transaction,
  id: number | null | undefined,
  path: string,
): Promise<{ base: EmbeddedRole; requested: EmbeddedRole | null }> {
  const { base, byId } = await findRolesById(tx, [id ?? null])
  const requested = id === null || id === undefined ? null : byId.get(id)
  if (requested === undefined) throw new Refusal('invalid', { problems: [{ path, key: 'unknownRole' }] })
  return { base, requested }
}

export const emailTaken = () => new Refusal('invalid', { problems: [{ path: 'email', key: 'taken' }] })

/**
 * Creates a link with which a user sets a password; it is shown to the actor or emailed to the user.
 * @throws {Refusal} `not_found`, `right_not_held`, `password_needed`
 */
export async function createUserPasswordLink(
  ctx: Context,
  id: number,
  input: { by: 'show' | 'mail' },
): Promise<PasswordLink> {
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  const link = await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const user = await getUserWithRoles(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')

    await record(tx, ctx, { action: 'user.password_link_made', subject: auditSubject(user), after: { by: input.by } })
    const minutes = linkMinutes(user)
    const expiresAt = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
    // The link uses the origin of this request, which on a development machine differs from the site's.
    const linkContext = { now: ctx.now, origin: ctx.requestOrigin }
    if (input.by === 'show') return { url: await createShownPasswordLink(tx, linkContext, id, minutes), expiresAt }

    // The link is created when the email is sent: see `prepareInvitation`.
    await queueEmail(
      tx,
      { template: invitationTemplate, locale: user.locale, data: {}, about: aboutUser(id), recipients: [user.email] },
      ctx.now(),
      ctx.site.sender.email,
    )
    return { expiresAt }
  })
  if (input.by === 'mail') ctx.wake.email()
  return link
}

/** The lifetime of a password link. For a user without a password it is an invitation, which is valid for longer. */
const linkMinutes = (user: { hasPassword: boolean }): number =>
  user.hasPassword ? limits.linkMinutes : limits.invitationDays * 24 * 60

/**
 * Creates the invitation link when the email is sent, so that it is stored nowhere and its lifetime starts then.
 * @returns undefined when no active user has the address any more: nothing is sent
 */
export async function prepareInvitation(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
): Promise<InvitationEmail | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findUserRowByEmail(tx, recipient)
    if (!user || user.blocked) return undefined
    const minutes = linkMinutes(user)
    return {
      to: { name: user.name, address: user.email },
      locale: user.locale,
      url: await createMailedPasswordLink(tx, ctx, user.id, minutes),
      until: new Date(ctx.now().getTime() + minutes * 60_000).toISOString(),
    }
  })
}
