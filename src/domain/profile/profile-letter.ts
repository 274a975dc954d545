import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import { aboutAccount } from '../users/user-letter.ts'

/** The templates' names as the outbox keeps them. */
export const confirmEmailTemplate = 'confirmEmail'
export const noticeTemplate = 'profileNotice'

/** What somebody is told that happened to their account. */
export type Notice =
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

/** What a notice is filled from. */
export interface NoticeLetter {
  notice: Notice
  to: { name: string; address: string }
  /** ISO instant. */
  at: string
  newEmail?: string | undefined
  passkey?: string | undefined
}

/** What the letter with the link is filled from; the outbox holds no more than whose it is. */
export interface ConfirmEmailLetter {
  to: { name: string; address: string }
  minutes: number
  /** Made when the letter is sent, so it is kept nowhere and its time counts from then. */
  url: string
  /** Somebody else signs in with the address: they are told that, and get no link. */
  owner?: { name: string; locale: Locale; at: string }
}

/** What the outbox holds of it. */
export interface WaitingConfirmation {
  userId: number
}

export async function postNotice(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
  notice: Notice,
  about: { newEmail?: string; passkey?: string } = {},
): Promise<void> {
  const data: NoticeLetter = {
    notice,
    to: { name: to.name, address: to.email },
    at: ctx.now().toISOString(),
    ...about,
  }
  await post(tx, ctx, to, { template: noticeTemplate, data })
}

/** Brings the link to the address that it confirms: see `fillConfirmation`. */
export async function postConfirmation(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
): Promise<void> {
  const data: WaitingConfirmation = { userId: to.id }
  await post(tx, ctx, to, { template: confirmEmailTemplate, data })
}

async function post(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: Addressee,
  letter: { template: string; data: object },
): Promise<void> {
  const recipients = [to.email]
  await postLetter(
    tx,
    { ...letter, locale: to.locale, about: aboutAccount(to.id), recipients },
    ctx.now(),
    ctx.site.sender.email,
  )
}
