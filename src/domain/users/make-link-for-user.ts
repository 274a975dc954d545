import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { PasswordLink } from '../../contract/users.ts'
import type { Context } from '../../platform/context.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { makePasswordLink } from '../sign-in/make-link.ts'
import { findRoledUser } from './find-users.ts'
import { subjectOf } from './show-users.ts'
import { canChangeUser, canWriteUsers } from './user.policy.ts'
import { aboutUser, invitationTemplate } from './user-letter.ts'

/**
 * Makes a link with which a user sets a password, shown to who asks or sent to the user alone. Shown, it needs no mail.
 * @throws {Refusal} `not_found`, `right_not_held`, `password_needed`
 */
export async function makeLinkForUser(ctx: Context, id: number, input: { by: 'show' | 'mail' }): Promise<PasswordLink> {
  allow(ctx, canWriteUsers)
  requireConfirmed(ctx)

  const link = await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const user = await findRoledUser(tx, id)
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')

    await record(tx, ctx, { action: 'user.password_link_made', subject: subjectOf(user), after: { by: input.by } })
    const minutes = linkMinutes(user)
    const expiresAt = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
    // Shown where the site is reached now, which on a machine of one's own is not its address.
    const here = { now: ctx.now, origin: ctx.reached }
    if (input.by === 'show') return { url: await makePasswordLink(tx, here, id, minutes), expiresAt }

    // The link itself is made when the letter is sent: see `fillInvitation`.
    await postLetter(
      tx,
      { template: invitationTemplate, locale: user.locale, data: {}, about: aboutUser(id), recipients: [user.email] },
      ctx.now(),
      ctx.site.sender.email,
    )
    return { expiresAt }
  })
  if (input.by === 'mail') ctx.signal.letter()
  return link
}

/** Who has no password yet begins with it, and may not look at once. */
export const linkMinutes = (user: { hasPassword: boolean }): number =>
  user.hasPassword ? limits.linkMinutes : limits.invitationDays * 24 * 60
