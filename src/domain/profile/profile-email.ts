import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { createLink } from '../sign-in/links.ts'
import { aboutAccount } from '../users/user-email.ts'
import { findPendingEmail, findProfileByEmail, lockProfile } from './profile.queries.ts'

/** The template names stored in the outbox. */
export const confirmEmailTemplate = 'confirmEmail'
export const noticeTemplate = 'profileNotice'

/** The events that users are notified of by email. */
type Notice =
  | 'emailAsked'
  | 'emailTaken'
  | 'emailChanged'
  | 'passwordChanged'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'recoveryCodes'
  | 'passkeyAdded'
  | 'passkeyRemoved'

interface Recipient {
  id: number
  name: string
  email: string
  locale: Locale
}

/** Data of a notice. */
export interface NoticeEmail {
  notice: Notice
  to: { name: string; address: string }
  /** ISO instant. */
  at: string
  newEmail?: string | undefined
  passkey?: string | undefined
}

/** Data of the email with the confirmation link. The outbox stores only a `PendingConfirmation`. */
export interface ConfirmationEmail {
  to: { name: string; address: string }
  minutes: number
  /** Created when the email is sent, so that its lifetime starts then and the outbox does not store it. */
  url: string
  /** Another user who has the address already. The email is then a notice to them, without the link. */
  owner?: { name: string; locale: Locale; at: string }
}

interface PendingConfirmation {
  userId: number
}

/** Queues a notice to the user's current address. */
export async function queueNotice(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Recipient,
  notice: Notice,
  details: { newEmail?: string; passkey?: string } = {},
): Promise<void> {
  const data: NoticeEmail = {
    notice,
    to: { name: to.name, address: to.email },
    at: ctx.now().toISOString(),
    ...details,
  }
  await queueAccountEmail(tx, ctx, to, { template: noticeTemplate, data })
}

/**
 * Queues the email with the confirmation link: see `prepareConfirmationEmail`.
 * @param to.email the new, unconfirmed address
 */
export async function queueConfirmationEmail(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Recipient,
): Promise<void> {
  const data: PendingConfirmation = { userId: to.id }
  await queueAccountEmail(tx, ctx, to, { template: confirmEmailTemplate, data })
}

async function queueAccountEmail(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Recipient,
  email: { template: string; data: object },
): Promise<void> {
  const recipients = [to.email]
  await queueEmail(
    tx,
    { ...email, locale: to.locale, about: aboutAccount(to.id), recipients },
    ctx.now(),
    ctx.site.sender.email,
  )
}

/**
 * Creates the confirmation link when the email is sent, so that a mail outage does not shorten its lifetime. It is
 * created even if another user has the address, so that the requester cannot tell.
 * @param newEmail the recipient
 * @returns undefined when this change of address is no longer pending, or the user is blocked: nothing is sent
 */
export async function prepareConfirmationEmail(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  newEmail: string,
  { userId }: PendingConfirmation,
): Promise<ConfirmationEmail | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, userId)
    if (!user || (await findPendingEmail(tx, userId, ctx.now())) !== newEmail) return undefined
    const minutes = limits.linkMinutes
    const url = await createLink(tx, ctx, { purpose: 'email', userId, email: newEmail, minutes })
    const owner = await findProfileByEmail(tx, newEmail)
    return {
      // Without the requester's name: until the address is confirmed, it may belong to someone else, who must not
      // receive text that the requester chose.
      to: { name: owner?.name ?? '', address: newEmail },
      minutes,
      url,
      ...(owner && { owner: { name: owner.name, locale: owner.locale, at: ctx.now().toISOString() } }),
    }
  })
}
