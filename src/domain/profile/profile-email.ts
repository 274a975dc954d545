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

interface Addressee {
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

/** Data of the email with the confirmation link; the outbox stores only the user. */
export interface ConfirmationEmail {
  to: { name: string; address: string }
  minutes: number
  /** Created when the email is sent: then its lifetime starts, and it is not stored in the outbox. */
  url: string
  /** Another user who has the address already: they get a notice instead of the link. */
  owner?: { name: string; locale: Locale; at: string }
}

/** The part that the outbox stores. */
interface PendingConfirmation {
  userId: number
}

export async function queueNotice(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
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

/** Queues the email with the link to the address that it confirms: see `prepareConfirmation`. */
export async function queueConfirmation(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
): Promise<void> {
  const data: PendingConfirmation = { userId: to.id }
  await queueAccountEmail(tx, ctx, to, { template: confirmEmailTemplate, data })
}

async function queueAccountEmail(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
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
 * Creates the confirmation link when the email is sent, so that a mail outage does not shorten its lifetime. The
 * requester cannot tell whether another user has the address.
 * @returns undefined when the change was cancelled: nothing is sent
 */
export async function prepareConfirmation(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
  { userId }: PendingConfirmation,
): Promise<ConfirmationEmail | undefined> {
  return ctx.transaction(async (tx) => {
    const person = await lockProfile(tx, userId)
    if (!person || (await findPendingEmail(tx, userId, ctx.now())) !== recipient) return undefined
    const minutes = limits.linkMinutes
    const url = await createLink(tx, ctx, { purpose: 'email', userId, email: recipient, minutes })
    const owner = await findProfileByEmail(tx, recipient)
    return {
      // Until the address is confirmed it may belong to someone else, who must not receive text that the requester
      // chose.
      to: { name: owner?.name ?? '', address: recipient },
      minutes,
      url,
      ...(owner && { owner: { name: owner.name, locale: owner.locale, at: ctx.now().toISOString() } }),
    }
  })
}
