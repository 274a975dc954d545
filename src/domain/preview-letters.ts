import { dayMs, limits } from '../contract/limits.ts'
import { type Locale, localizedPath } from '../contract/locales.ts'
import {
  type LetterKind,
  type LetterPreview,
  type LetterTemplate,
  letterKinds,
  letterTemplates,
} from '../contract/outbox.ts'
import { translator } from '../i18n/translate.ts'
import type { Context } from '../platform/context.ts'
import { allow } from './allow.ts'
import { renderLetter } from './letters.ts'
import type { MessageLetter, ReplyLetter } from './messages/message-letter.ts'
import type { ConfirmEmailLetter, NoticeLetter } from './profile/profile-letter.ts'
import type { PasswordLetter } from './sign-in/password-letter.ts'
import type { InvitationLetter, UserLetter } from './users/user-letter.ts'

/** Every kind of letter there is, in the reader's words. */
export function listLetterKinds(ctx: Context, locale: Locale): { kind: LetterKind; label: string }[] {
  allow(ctx, ['mail.read'])
  const t = translator(locale)
  return letterKinds.map((kind) => ({ kind, label: t(`outbox.kinds.${kind}`) }))
}

/** A letter as it would be, with the configuration in force and somebody who does not exist. Nothing is sent. */
export async function previewLetter(ctx: Context, kind: LetterKind, locale: Locale): Promise<LetterPreview> {
  allow(ctx, ['mail.read'])
  const template = Object.keys(letterTemplates).find((name) =>
    (letterTemplates[name as LetterTemplate] as readonly string[]).includes(kind),
  )
  const letter = await renderLetter(ctx.site, locale, template as string, samples[kind](ctx, locale))
  return {
    subject: letter.subject,
    from: letter.from,
    to: letter.to,
    replyTo: [letter.replyTo ?? []].flat(),
    html: letter.html,
    text: letter.text,
  }
}

type Sample = (ctx: Context, locale: Locale) => object

const somebody = {
  nl: { name: 'Sanne de Vries', address: 'sanne@voorbeeld.example' },
  fa: { name: 'سارا احمدی', address: 'sara@voorbeeld.example' },
} satisfies Record<Locale, { name: string; address: string }>

const linkAt = (ctx: Context, locale: Locale) => `${ctx.origin}${localizedPath('/login', locale)}?token=voorbeeld`

const message = (locale: Locale) => {
  const { name, address } = somebody[locale]
  return {
    naam: name,
    email: address,
    tel: '043 123 45 67',
    bericht: translator(locale)('outbox.sample.message'),
  }
}

const account =
  (kind: UserLetter['kind'], password?: string): Sample =>
  (ctx, locale): UserLetter => ({
    kind,
    to: somebody[locale],
    replyTo: undefined,
    url: ctx.origin + localizedPath('/login', locale),
    ...(password !== undefined && { password }),
  })

const notice =
  (of: NoticeLetter['notice']): Sample =>
  (ctx, locale): NoticeLetter => ({
    notice: of,
    to: somebody[locale],
    at: ctx.now().toISOString(),
    ...((of === 'emailAsked' || of === 'emailChanged') && { newEmail: 'nieuw@voorbeeld.example' }),
    ...((of === 'passkeyAdded' || of === 'passkeyRemoved') && { passkey: translator(locale)('outbox.sample.passkey') }),
  })

/** What each kind is filled from here. */
const samples: Record<LetterKind, Sample> = {
  contactMessage: (ctx, locale): MessageLetter => ({
    id: 128,
    message: message(locale),
    receivedAt: ctx.now().toISOString(),
  }),
  messageReply: (ctx, locale): ReplyLetter => ({
    to: somebody[locale],
    text: translator(locale)('outbox.sample.reply', { name: somebody[locale].name, brand: ctx.site.brand }),
    bericht: message(locale).bericht,
    receivedAt: ctx.now().toISOString(),
    references: [],
  }),
  newUser: account('newUser'),
  newUserPassword: account('newUser', 'voorbeeld-123'),
  updatedUser: account('updatedUser'),
  updatedUserPassword: account('updatedUser', 'voorbeeld-123'),
  userInvitation: (ctx, locale): InvitationLetter => ({
    to: somebody[locale],
    locale,
    url: linkAt(ctx, locale),
    until: new Date(ctx.now().getTime() + limits.invitationDays * dayMs).toISOString(),
  }),
  passwordLink: (ctx, locale): PasswordLetter => ({
    name: somebody[locale].name,
    email: somebody[locale].address,
    locale,
    url: linkAt(ctx, locale),
  }),
  confirmEmail: (ctx, locale): ConfirmEmailLetter => ({
    to: somebody[locale],
    minutes: limits.linkMinutes,
    url: linkAt(ctx, locale),
  }),
  emailAsked: notice('emailAsked'),
  emailTaken: notice('emailTaken'),
  emailChanged: notice('emailChanged'),
  passwordChanged: notice('passwordChanged'),
  twoFactorOn: notice('twoFactorOn'),
  twoFactorOff: notice('twoFactorOff'),
  recoveryCodes: notice('recoveryCodes'),
  passkeyAdded: notice('passkeyAdded'),
  passkeyRemoved: notice('passkeyRemoved'),
}
