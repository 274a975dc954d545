import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deleteUserLinks } from '../sign-in/link.queries.ts'
import { consumeLink } from '../sign-in/links.ts'
import { aboutUser } from '../users/user-email.ts'
import { findPendingEmail, findProfileByEmail, lockProfile, updateProfileRow } from './profile.queries.ts'
import { queueNotice } from './profile-email.ts'

/**
 * Cancels a pending change of address; its link stops working.
 * @throws {Refusal} `not_found` when no change is pending
 */
export async function cancelEmailChange(ctx: Context): Promise<void> {
  const { id, name } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const newEmail = await findPendingEmail(tx, id, ctx.now())
    if (newEmail === null) throw new Refusal('not_found')
    await deleteUserLinks(tx, [id], 'email')
    await record(tx, ctx, {
      action: 'profile.email_withdrawn',
      subject: { type: 'user', id, name },
      before: { newEmail },
      after: { newEmail: null },
    })
  })
}

/**
 * Gives the account the confirmed address. The browser may be signed in as somebody else.
 * @throws {Refusal} `link_ended`, also when another user has the address by now
 */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string }> {
  const confirmed = await change(ctx, token).catch((error) => {
    // When two users confirm the same address at once, one succeeds.
    throw ctx.dialect.isUniqueViolation(error) ? new Refusal('link_ended') : error
  })
  ctx.wake.email()
  return confirmed
}

async function change(ctx: Context, token: string): Promise<{ email: string }> {
  return ctx.transaction(async (tx) => {
    const { userId, email } = await consumeLink(tx, ctx, { purpose: 'email', token })
    const person = userId === null ? undefined : await lockProfile(tx, userId)
    if (!person || email === null || (await findProfileByEmail(tx, email))) throw new Refusal('link_ended')

    await updateProfileRow(tx, person.id, { email }, ctx.now())
    // Open links were sent to the previous address.
    await deleteUserLinks(tx, [person.id])
    // So was a queued email, which may contain the password.
    await deleteEmailsAbout(tx, [aboutUser(person.id)])
    await record(
      tx,
      { ...ctx, actor: person },
      {
        action: 'profile.email_changed',
        subject: { type: 'user', id: person.id, name: person.name },
        before: { email: person.email },
        after: { email },
      },
    )
    await queueNotice(tx, ctx, person, 'emailChanged', { newEmail: email })
    return { email }
  })
}
