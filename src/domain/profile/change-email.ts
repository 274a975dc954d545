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
 * Gives the user of a confirmation link the new address. The browser need not be signed in, and may be as somebody
 * else.
 * @throws {Refusal} `link_ended`, also when another user has the address by now
 */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string }> {
  const confirmed = await applyConfirmedEmail(ctx, token).catch((error) => {
    // Two users confirmed the same address at once, and the other one got it.
    throw ctx.dialect.isUniqueViolation(error) ? new Refusal('link_ended') : error
  })
  ctx.wake.email()
  return confirmed
}

async function applyConfirmedEmail(ctx: Context, token: string): Promise<{ email: string }> {
  return ctx.transaction(async (tx) => {
    const { userId, email } = await consumeLink(tx, ctx, { purpose: 'email', token })
    const user = userId === null ? undefined : await lockProfile(tx, userId)
    if (!user || email === null || (await findProfileByEmail(tx, email))) throw new Refusal('link_ended')

    await updateProfileRow(tx, user.id, { email }, ctx.now())
    // Open links were sent to the previous address.
    await deleteUserLinks(tx, [user.id])
    // Queued emails about the account would still go there, and may contain the password.
    await deleteEmailsAbout(tx, [aboutUser(user.id)])
    await record(
      tx,
      { ...ctx, actor: user },
      {
        action: 'profile.email_changed',
        subject: { type: 'user', id: user.id, name: user.name },
        before: { email: user.email },
        after: { email },
      },
    )
    await queueNotice(tx, ctx, user, 'emailChanged', { newEmail: email })
    return { email }
  })
}
