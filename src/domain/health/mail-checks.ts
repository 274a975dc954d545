import { dayMs } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import { type DnsCheckName, dnsCheckNames } from '../../contract/mail-checks.ts'
import { mailboxAddress, mailLimits } from '../../contract/mail-server.ts'
import { translator } from '../../i18n/translate.ts'
import { findImapSettings } from '../../platform/mail/mail-settings.ts'
import { findMailboxState } from '../../platform/mail/mailbox-state.queries.ts'
import { deleteEmailsAbout, queueEmail } from '../../platform/mail/outbox.ts'
import { deleteEmail, mailboxProblemOf } from '../../platform/mail/read-mailbox.ts'
import { runDnsCheck, senderFromSettings } from '../mail/check-sender.ts'
import { mailProblem, mailStepResults } from '../mail/mail-server.ts'
import { type MessageEmail, messageTemplate } from '../messages/message-email.ts'
import { canaryMessage } from './canary.ts'
import {
  type CanaryContext,
  type Check,
  type Finding,
  type HealthSource,
  hourMs,
  minuteMs,
  type SenderOutcomes,
  waitsTooLongMs,
} from './check.ts'
import { countUndelivered, findTrialEmail, findWaitingSince } from './health.queries.ts'

const failedWithinMs = 7 * dayMs
const dnsWithinMs = 15_000
/** The outbox's `about` key of the trial email, which has a check of its own. */
const aboutTrial = 'health:trial'

export const mailServer: Check = {
  everyMs: 10 * minuteMs,
  screen: '/admin/config/mail',
  async run({ smtpTest }) {
    const tried = await smtpTest()
    if (!tried) return { outcome: 'attention', text: 'mailServerMissing' }
    const { failed } = tried
    if (!failed) return { outcome: 'good', text: 'mailServerGood' }
    return {
      outcome: 'failed',
      text: 'mailServerFailed',
      values: { advice: (locale) => mailStepResults(tried, locale).find(({ advice }) => advice)?.advice ?? '' },
    }
  },
}

export const emails: Check = {
  everyMs: minuteMs,
  screen: '/admin/mail',
  async run({ db, now }) {
    const waitingSince = await findWaitingSince(db)
    if (waitingSince && now().getTime() - waitingSince.getTime() > waitsTooLongMs) {
      return { outcome: 'failed', text: 'emailsWaiting', values: { at: waitingSince } }
    }
    const since = new Date(now().getTime() - failedWithinMs)
    const { lost, others } = await countUndelivered(db, { since, template: messageTemplate, except: aboutTrial })
    if (lost > 0) return { outcome: 'failed', text: 'emailsLost', values: { count: lost } }
    return others > 0
      ? { outcome: 'attention', text: 'emailsFailed', values: { count: others } }
      : { outcome: 'good', text: 'emailsGood' }
  },
}

/** The result of the last reading by the job, and whether it is recent; an unread mailbox hides which emails were returned. */
export const mailbox: Check = {
  everyMs: minuteMs,
  screen: '/admin/config/mail',
  async run({ db, now, secret }) {
    const { value, hasPassword, password } = await findImapSettings(db, secret)
    if (!value) return { outcome: 'good', text: 'mailboxNone' }
    if (hasPassword && password === undefined) return { outcome: 'failed', text: 'mailboxPasswordLost' }
    const state = await findMailboxState(db)
    if (state?.problem !== undefined) {
      const { key, limit } = mailProblem(state.problem, mailLimits.mailboxMs)
      const advice = (locale: Locale) => translator(locale)(`validation.${key}`, { limit: limit ?? 0 })
      return { outcome: 'failed', text: 'mailboxFailed', values: { advice } }
    }
    if (!state?.readAt) return { outcome: 'unknown', text: 'mailboxUnread' }
    const isLate = now().getTime() - state.readAt.getTime() > hourMs
    return {
      outcome: isLate ? 'failed' : 'good',
      text: isLate ? 'mailboxLate' : 'mailboxGood',
      values: { at: state.readAt },
    }
  },
}

/** Runs all DNS checks of the sender's domain concurrently. */
export async function checkSenderDns(source: HealthSource): Promise<SenderOutcomes> {
  const sender = await senderFromSettings(source)
  const found = await Promise.all(
    dnsCheckNames.map((name) => runDnsCheck(name, sender, source.mail.resolve, dnsWithinMs)),
  )
  return { domain: sender.domain, outcomes: new Map(found.map(({ name, outcome }) => [name, outcome])) }
}

const senderFindings = {
  ok: { outcome: 'good', text: 'senderGood' },
  warning: { outcome: 'attention', text: 'senderWarning' },
  failed: { outcome: 'failed', text: 'senderFailed' },
  unknown: { outcome: 'unknown', text: 'senderUnknown' },
} satisfies Record<string, Finding>

/** Without a mail server a failed DNS check is only a warning, because no email is sent. */
const senderCheck = (name: DnsCheckName): Check => ({
  everyMs: hourMs,
  screen: '/admin/config/mail',
  async run({ senderDns, mail }) {
    const { domain, outcomes } = await senderDns()
    const finding = senderFindings[outcomes.get(name) ?? 'unknown']
    const outcome = finding.outcome === 'failed' && !mail.sends ? 'attention' : finding.outcome
    return { ...finding, outcome, values: { domain } }
  },
})

export const senderChecks = Object.fromEntries(dnsCheckNames.map((name) => [name, senderCheck(name)])) as Record<
  DnsCheckName,
  Check
>

const arrivesWithinMs = 15 * minuteMs
const mailboxWithinMs = 15_000

/**
 * Once a day the email about a trial message goes through the outbox to the mailbox of the site, is looked for there by its
 * Message-ID, and removed from both. Its row in the outbox is the only trace meanwhile, so that copies of the program share it.
 */
export const arrival: Check = {
  everyMs: 5 * minuteMs,
  screen: '/admin/config/mail',
  async run({ canary, previous }) {
    if (!canary) return { outcome: 'unknown', text: 'programNeeded' }
    const ctx = canary()
    const { value, password } = await findImapSettings(ctx.db, ctx.secret)
    if (!ctx.mail.sends || !value || password === undefined) {
      return { outcome: 'unknown', text: 'arrivalWithoutMailbox' }
    }
    // The sender of the site may have another inbox, where nothing would remove the email of each day.
    const recipient = mailboxAddress(value)
    if (recipient === undefined) return { outcome: 'unknown', text: 'arrivalWithoutAddress' }
    const now = ctx.now()
    const { at } = previous?.values ?? {}
    if (previous?.outcome === 'good' && at instanceof Date && isWithinDay(at, now)) return previous

    const trial = await findTrialEmail(ctx.db, aboutTrial)
    if (!trial) {
      await sendTrial(ctx, recipient)
      return { outcome: 'unknown', text: 'arrivalUnderWay' }
    }
    if (trial.sentAt) {
      const found = await deleteEmail({ ...value, password }, trial.messageId, mailboxWithinMs).catch(unreadable)
      if (found === 'unreadable') return { outcome: 'unknown', text: 'arrivalUnreadable' }
      if (found) {
        await forgetTrial(ctx)
        return { outcome: 'good', text: 'arrivalGood', values: { at: now } }
      }
    }
    // The next check run sends another.
    if (!isWithinDay(trial.createdAt, now)) await forgetTrial(ctx)
    if (trial.problem !== undefined) {
      return { outcome: 'failed', text: 'arrivalRefused', values: { reason: trial.problem.slice(0, 200) } }
    }
    return arrivalOf(trial, now)
  },
}

/** The check `mailbox` reports why a mailbox cannot be read. */
function unreadable(error: unknown): 'unreadable' {
  if (mailboxProblemOf(error) === undefined) throw error
  return 'unreadable'
}

const isWithinDay = (at: Date, now: Date) => now.getTime() - at.getTime() < dayMs

function arrivalOf({ sentAt }: { sentAt: Date | undefined }, now: Date): Finding {
  // An email that is not sent is reported by its own check.
  if (!sentAt || now.getTime() - sentAt.getTime() < arrivesWithinMs) {
    return { outcome: 'unknown', text: 'arrivalUnderWay' }
  }
  return { outcome: 'failed', text: 'arrivalMissing', values: { at: sentAt } }
}

async function sendTrial(ctx: CanaryContext, recipient: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    if (await findTrialEmail(tx, aboutTrial)) return
    const data: MessageEmail = { id: 0, message: canaryMessage, receivedAt: ctx.now().toISOString() }
    const email = { template: messageTemplate, locale: 'nl', data, about: aboutTrial, recipients: [recipient] }
    await queueEmail(tx, email, ctx.now(), ctx.site.sender.email)
  })
  ctx.wake.email()
}

const forgetTrial = (ctx: CanaryContext) => ctx.transaction((tx) => deleteEmailsAbout(tx, [aboutTrial]))
