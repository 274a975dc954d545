import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { record } from '../audit/record.ts'
import { upsertPassword } from './account.queries.ts'
import { type ClientOrigin, clearAttempts, countPasswordReset, rememberKnownBrowser } from './limit-attempts.ts'
import {
  consumeLink,
  createMailedPasswordLink,
  findPasswordLinkUser,
  type PasswordEmail,
  passwordTemplate,
} from './links.ts'
import { hashNewPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'
import { findActiveUser, findActiveUserByEmail } from './user.queries.ts'

/**
 * Queues an email with a password link whether or not the address has an account; the account is looked up when the
 * email is sent. So neither the response, its timing, nor a mail outage reveals it.
 * @throws {Refusal} `too_many`
 */
export async function requestPasswordLink(
  ctx: Context,
  input: { email: string; locale: Locale },
  client: ClientOrigin,
): Promise<void> {
  // No email is sent when the mailbox received too many; the response must not reveal it.
  if (!(await countPasswordReset(ctx, input.email, client))) return
  await ctx.transaction((tx) =>
    queueEmail(
      tx,
      { template: passwordTemplate, locale: input.locale, data: {}, recipients: [input.email] },
      ctx.now(),
      ctx.site.sender.email,
    ),
  )
  ctx.wake.email()
}

/**
 * Creates the password link when the email is sent, so that a mail outage does not shorten its lifetime.
 * @returns undefined when no active user has the address: nothing is sent
 */
export async function preparePasswordEmail(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
): Promise<PasswordEmail | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findActiveUserByEmail(tx, recipient)
    if (!user) return undefined
    const url = await createMailedPasswordLink(tx, ctx, user.id, limits.linkMinutes)
    return { name: user.name, email: user.email, locale: user.locale, url }
  })
}

/**
 * Sets the password of a link's user, and ends the user's sessions, pending sign-ins and other links. It does not sign
 * the user in, so the second factor is still required. If the link was shown to another user, the password counts as
 * chosen by that user.
 * @throws {Refusal} `link_ended`, `invalid` for a password that is easily guessed
 */
export async function setPasswordByLink(
  ctx: Context,
  input: { token: string; password: string },
  client: ClientOrigin,
): Promise<void> {
  // Checked first, because hashing is expensive.
  const linkUser = await findPasswordLinkUser(ctx, input.token)
  if (!linkUser) throw new Refusal('link_ended')
  const hash = await hashNewPassword(input.password, linkUser.email)
  await ctx.transaction(async (tx) => {
    const { userId, shown } = await consumeLink(tx, ctx, { purpose: 'password', token: input.token })
    const user = userId === null ? undefined : await findActiveUser(tx, userId)
    if (!user) throw new Refusal('link_ended')
    await upsertPassword(tx, user.id, { hash, chosenByOther: shown }, ctx.now())
    await endSessions(tx, [user.id])
    // The link proves who the user is, so failed attempts for this user no longer block this client.
    await rememberKnownBrowser(tx, ctx, user.email, client)
    await clearAttempts(tx, ctx, user.email, client)
    await record(tx, { now: ctx.now, actor: user }, { action: 'user.password_set', subject: { type: 'user', ...user } })
  })
}
