import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Context } from '../platform/context.ts'
import type { Letter } from '../platform/mail/transport.ts'
import { messageTemplate, replyTemplate } from './messages/message-letter.ts'
import { confirmEmailTemplate, noticeTemplate } from './profile/profile-letter.ts'
import { passwordTemplate } from './sign-in/password-letter.ts'
import { invitationTemplate, userTemplate } from './users/user-letter.ts'

type Render = (site: SiteConfig, locale: Locale, data: never) => Promise<Letter>

/** Every letter there is, by its template's name. Each is loaded when the first of its kind is sent. */
const letters: Record<string, (() => Promise<Render>) | undefined> = {
  [messageTemplate]: async () => (await import('./messages/message.mail.tsx')).renderMessageLetter,
  [replyTemplate]: async () => (await import('./messages/message.mail.tsx')).renderReply,
  [passwordTemplate]: async () => (await import('./sign-in/password.mail.tsx')).renderPasswordLetter,
  [confirmEmailTemplate]: async () => (await import('./profile/profile.mail.tsx')).renderConfirmEmail,
  [noticeTemplate]: async () => (await import('./profile/profile.mail.tsx')).renderNotice,
  [userTemplate]: async () => (await import('./users/user.mail.tsx')).renderUserLetter,
  [invitationTemplate]: async () => (await import('./users/user.mail.tsx')).renderInvitation,
}

type Fill = (ctx: FillContext, recipient: string, data: never) => Promise<object | undefined>
type FillContext = Pick<Context, 'now' | 'origin' | 'transaction'>

/** Letters that are filled at each try to send them: what is in them would be too old by then, or must not be kept. */
const filled: Record<string, (() => Promise<Fill>) | undefined> = {
  [passwordTemplate]: async () => (await import('./sign-in/fill-password-letter.ts')).fillPasswordLetter,
  [invitationTemplate]: async () => (await import('./users/fill-invitation.ts')).fillInvitation,
  [confirmEmailTemplate]: async () => (await import('./profile/fill-confirmation.ts')).fillConfirmation,
}

/**
 * What a letter is rendered from: what was kept with it, and what is added when it is sent.
 * @returns undefined when there is nothing to send after all
 */
export async function fillLetter(
  ctx: FillContext,
  letter: { template: string; data: unknown; recipient: string },
): Promise<unknown> {
  const load = Object.hasOwn(filled, letter.template) ? filled[letter.template] : undefined
  if (!load) return letter.data
  const fill = await load()
  const more = await fill(ctx, letter.recipient, letter.data as never)
  return more && { ...(letter.data as object), ...more }
}

/**
 * Puts a letter in words.
 * @param data what was kept with the letter when it was promised
 */
export async function renderLetter(site: SiteConfig, locale: Locale, template: string, data: unknown): Promise<Letter> {
  const load = Object.hasOwn(letters, template) ? letters[template] : undefined
  if (!load) throw new Error(`There is no letter called ${template}`)
  const render = await load()
  return render(site, locale, data as never)
}
