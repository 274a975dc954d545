import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { PasswordLink } from '../../contract/users.ts'
import type { Context } from '../../platform/context.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { createMailedPasswordLink, createShownPasswordLink } from '../sign-in/links.ts'
import { auditSubject, getUserWithRoles } from './find-users.ts'
import { canChangeUser, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail } from './user.queries.ts'
import { aboutUser, type InvitationEmail, invitationTemplate } from './user-email.ts'

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
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const user = await getUserWithRoles(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')

    await record(tx, ctx, { action: 'user.password_link_made', subject: auditSubject(user), after: { by: input.by } })
    const minutes = linkMinutes(user)
    const expiresAt = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
    // The link uses the origin of this request, which on a development machine differs from the site's.
    const here = { now: ctx.now, origin: ctx.requestOrigin }
    if (input.by === 'show') return { url: await createShownPasswordLink(tx, here, id, minutes), expiresAt }

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

/** A user without a password gets a longer lifetime, because the link is an invitation. */
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
