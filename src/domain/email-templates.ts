import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Context } from '../platform/context.ts'
import type { Email } from '../platform/mail/transport.ts'
import { contactChangeTemplate } from './configuration/contact-change.ts'
import { healthAlarmTemplate } from './health/alarms.ts'
import { monthlyReportTemplate } from './health/monthly-report.ts'
import { messageTemplate, replyTemplate } from './messages/message-email.ts'
import { reviewTemplate } from './pages/review-email.ts'
import { confirmEmailTemplate, noticeTemplate, prepareConfirmationEmail } from './profile/profile-email.ts'
import { passwordTemplate } from './sign-in/links.ts'
import { invitationTemplate, userTemplate } from './users/user-email.ts'

type Render = (site: SiteConfig, locale: Locale, data: never) => Promise<Email>

/** Loads the renderer of each email template, by template name. */
const rendererLoaders: Record<string, (() => Promise<Render>) | undefined> = {
  [messageTemplate]: async () => (await import('./messages/message.mail.tsx')).renderMessageEmail,
  [replyTemplate]: async () => (await import('./messages/message.mail.tsx')).renderReplyEmail,
  [passwordTemplate]: async () => (await import('./sign-in/password.mail.tsx')).renderPasswordEmail,
  [confirmEmailTemplate]: async () => (await import('./profile/profile.mail.tsx')).renderConfirmEmail,
  [noticeTemplate]: async () => (await import('./profile/profile.mail.tsx')).renderNotice,
  [userTemplate]: async () => (await import('./users/user.mail.tsx')).renderUserEmail,
  [contactChangeTemplate]: async () => (await import('./configuration/contact-change.mail.tsx')).renderContactChange,
  [invitationTemplate]: async () => (await import('./users/user.mail.tsx')).renderInvitation,
  [healthAlarmTemplate]: async () => (await import('./health/health.mail.tsx')).renderHealthAlarm,
  [monthlyReportTemplate]: async () => (await import('./health/health.mail.tsx')).renderMonthlyReport,
  [reviewTemplate]: async () => (await import('./pages/review.mail.tsx')).renderReviewEmail,
}

type LoadData = (ctx: LoadContext, recipient: string, data: never) => Promise<object | undefined>
type LoadContext = Pick<Context, 'now' | 'origin' | 'transaction'>

/** Loads functions that add data at each attempt to send: links that would expire in the queue, or that must not be stored. */
const dataLoaders: Record<string, (() => Promise<LoadData>) | undefined> = {
  [passwordTemplate]: async () => (await import('./sign-in/password-link.ts')).preparePasswordEmail,
  [invitationTemplate]: async () => (await import('./users/create-user.ts')).prepareInvitation,
  [confirmEmailTemplate]: async () => prepareConfirmationEmail,
}

/** Returns the queued data together with the data added now; undefined when the email must no longer be sent. */
export async function loadEmailData(
  ctx: LoadContext,
  email: { template: string; data: unknown; recipient: string },
): Promise<unknown> {
  const importLoader = Object.hasOwn(dataLoaders, email.template) ? dataLoaders[email.template] : undefined
  if (!importLoader) return email.data
  const loadData = await importLoader()
  const addedData = await loadData(ctx, email.recipient, email.data as never)
  return addedData && { ...(email.data as object), ...addedData }
}

/** Renders an email. @param data from `loadEmailData` @throws when there is no such template */
export async function renderEmail(site: SiteConfig, locale: Locale, template: string, data: unknown): Promise<Email> {
  const importRenderer = Object.hasOwn(rendererLoaders, template) ? rendererLoaders[template] : undefined
  if (!importRenderer) throw new Error(`There is no email template called ${template}`)
  const render = await importRenderer()
  return render(site, locale, data as never)
}
