import { dayMs, limits } from '../contract/limits.ts'
import { type BuiltInLocale, builtInLocale, type Locale, localizedPath } from '../contract/locales.ts'
import {
  type EmailKind,
  type EmailPreview,
  type EmailTemplate,
  emailKinds,
  emailTemplates,
} from '../contract/outbox.ts'
import { longDateTime } from '../i18n/dates.ts'
import { translator } from '../i18n/translate.ts'
import type { Context } from '../platform/context.ts'
import { allow } from './allow.ts'
import type { ContactChangeEmail } from './configuration/contact-change.ts'
import { renderEmail } from './email-templates.ts'
import type { HealthAlarmEmail } from './health/alarms.ts'
import type { MonthlyReportEmail } from './health/monthly-report.ts'
import type { MessageEmail, ReplyEmail } from './messages/message-email.ts'
import type { ReviewEmail } from './pages/review-email.ts'
import type { ConfirmationEmail, NoticeEmail } from './profile/profile-email.ts'
import type { PasswordEmail } from './sign-in/links.ts'
import type { InvitationEmail, UserEmail } from './users/user-email.ts'

/** All kinds of email, with translated labels. */
export function listEmailKinds(ctx: Context, locale: Locale): { kind: EmailKind; label: string }[] {
  allow(ctx, ['mail.read'])
  const t = translator(locale)
  return emailKinds.map((kind) => ({ kind, label: t(`outbox.kinds.${kind}`) }))
}

/** Renders a sample email with the current configuration and a fictitious recipient. Nothing is sent. */
export async function previewEmail(ctx: Context, kind: EmailKind, locale: Locale): Promise<EmailPreview> {
  allow(ctx, ['mail.read'])
  const template = Object.keys(emailTemplates).find((name) =>
    (emailTemplates[name as EmailTemplate] as readonly string[]).includes(kind),
  )
  const email = await renderEmail(ctx.site, locale, template as string, samples[kind](ctx, locale))
  return {
    subject: email.subject,
    from: email.from,
    to: email.to,
    replyTo: [email.replyTo ?? []].flat(),
    html: email.html,
    text: email.text,
  }
}

type Sample = (ctx: Context, locale: Locale) => object

const recipients = {
  nl: { name: 'Sanne de Vries', address: 'sanne@voorbeeld.example' },
  fa: { name: 'سارا احمدی', address: 'sara@voorbeeld.example' },
  en: { name: 'Emma Carter', address: 'emma@voorbeeld.example' },
} satisfies Record<BuiltInLocale, { name: string; address: string }>
const recipientIn = (locale: Locale) => recipients[builtInLocale(locale)]

const sampleLink = (ctx: Context, locale: Locale) =>
  `${ctx.origin}${localizedPath('/login', locale, ctx.site)}?token=voorbeeld`

const messageIn = (locale: Locale) => {
  const { name, address } = recipientIn(locale)
  return {
    naam: name,
    email: address,
    tel: '043 123 45 67',
    bericht: translator(locale)('outbox.sample.message'),
  }
}

const accountSample =
  (kind: UserEmail['kind'], password?: string): Sample =>
  (ctx, locale): UserEmail => ({
    kind,
    to: recipientIn(locale),
    replyTo: undefined,
    url: ctx.origin + localizedPath('/login', locale, ctx.site),
    ...(password !== undefined && { password }),
  })

const noticeSample =
  (notice: NoticeEmail['notice']): Sample =>
  (ctx, locale): NoticeEmail => ({
    notice,
    to: recipientIn(locale),
    at: ctx.now().toISOString(),
    ...((notice === 'emailAsked' || notice === 'emailChanged') && { newEmail: 'nieuw@voorbeeld.example' }),
    ...((notice === 'passkeyAdded' || notice === 'passkeyRemoved') && {
      passkey: translator(locale)('outbox.sample.passkey'),
    }),
  })

const reviewSample =
  (kind: ReviewEmail['kind']): Sample =>
  (ctx, locale): ReviewEmail => {
    const t = translator(locale)
    return {
      kind,
      to: recipientIn(locale),
      page: { title: t('outbox.sample.page'), locale },
      by: recipientIn(locale).name,
      note: t(`outbox.sample.${kind}`),
      url: `${ctx.origin}/admin/pages`,
    }
  }

/** Sample data for each kind. */
const samples: Record<EmailKind, Sample> = {
  contactMessage: (ctx, locale): MessageEmail => ({
    id: 482_913_377,
    message: messageIn(locale),
    receivedAt: ctx.now().toISOString(),
  }),
  messageReply: (ctx, locale): ReplyEmail => ({
    to: recipientIn(locale),
    text: translator(locale)('outbox.sample.reply', { name: recipientIn(locale).name, brand: ctx.site.brand }),
    bericht: messageIn(locale).bericht,
    receivedAt: ctx.now().toISOString(),
    references: [],
  }),
  newUser: accountSample('newUser'),
  newUserPassword: accountSample('newUser', 'voorbeeld-123'),
  updatedUser: accountSample('updatedUser'),
  updatedUserPassword: accountSample('updatedUser', 'voorbeeld-123'),
  userInvitation: (ctx, locale): InvitationEmail => ({
    to: recipientIn(locale),
    locale,
    url: sampleLink(ctx, locale),
    until: new Date(ctx.now().getTime() + limits.invitationDays * dayMs).toISOString(),
  }),
  passwordLink: (ctx, locale): PasswordEmail => ({
    name: recipientIn(locale).name,
    email: recipientIn(locale).address,
    locale,
    url: sampleLink(ctx, locale),
  }),
  confirmEmail: (ctx, locale): ConfirmationEmail => ({
    to: recipientIn(locale),
    minutes: limits.linkMinutes,
    url: sampleLink(ctx, locale),
  }),
  emailAsked: noticeSample('emailAsked'),
  emailTaken: noticeSample('emailTaken'),
  emailChanged: noticeSample('emailChanged'),
  passwordChanged: noticeSample('passwordChanged'),
  twoFactorOn: noticeSample('twoFactorOn'),
  twoFactorOff: noticeSample('twoFactorOff'),
  recoveryCodes: noticeSample('recoveryCodes'),
  passkeyAdded: noticeSample('passkeyAdded'),
  passkeyRemoved: noticeSample('passkeyRemoved'),
  pageOffered: reviewSample('offered'),
  pageReturned: reviewSample('returned'),
  pageAdded: reviewSample('added'),
  pageTakenOver: reviewSample('takenOver'),
  healthAlarm: (_ctx, locale): HealthAlarmEmail => {
    const t = translator(locale)
    return {
      to: recipientIn(locale).address,
      began: [{ label: t('health.checks.disk'), text: t('health.findings.diskFull', { free: '150 MB' }) }],
      over: [{ label: t('health.checks.database'), text: t('health.findings.databaseGood') }],
    }
  },
  monthlyReport: ({ now }, locale): MonthlyReportEmail => {
    const t = translator(locale)
    return {
      to: recipientIn(locale).address,
      firstDay: '2026-10-01',
      lastDay: '2026-10-31',
      visits: { count: 1_240, before: 1_105 },
      messages: { count: 18, before: 21 },
      answered: 17,
      answeredWithinMs: 3 * 60 * 60_000,
      proofs: { nights: 31, proved: 30, failed: 1, unknown: 0 },
      backup: t('health.findings.backupGood', { at: longDateTime(now(), locale) }),
      trouble: [{ label: t('health.checks.ipv6'), text: t('health.findings.ipv6Missing') }],
      unseen: 0,
    }
  },
  contactChange: ({ site, now }, locale): ContactChangeEmail => ({
    to: recipientIn(locale).address,
    by: recipientIn(locale).name,
    recipients: site.contact.recipients,
    sender: `${site.sender.name} <${site.sender.email}>`,
    at: now().toISOString(),
  }),
}
