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
  type CheckDependencies,
  type Finding,
  hourMs,
  maxEmailWaitMs,
  minuteMs,
  type SenderOutcomes,
} from './check.ts'
import { countUndelivered, findTrialEmail, findWaitingSince } from './health.queries.ts'

const undeliveredWithinMs = 7 * dayMs
const dnsWithinMs = 15_000
/** The outbox's `about` key of the trial email, which the check `arrival` sends. */
const aboutTrial = 'health:trial'

export const mailServer: Check = {
  everyMs: 10 * minuteMs,
  screen: '/admin/config/mail',
  async run({ smtpTest }) {
    const tested = await smtpTest()
    if (!tested) return { outcome: 'attention', text: 'mailServerMissing' }
    if (!tested.failed) return { outcome: 'good', text: 'mailServerGood' }
    // Only the failed step has advice.
    const advice = (locale: Locale) => mailStepResults(tested, locale).find(({ advice }) => advice)?.advice ?? ''
    return { outcome: 'failed', text: 'mailServerFailed', values: { advice } }
  },
}

export const emails: Check = {
  everyMs: minuteMs,
  screen: '/admin/mail',
  async run({ db, now }) {
    const waitingSince = await findWaitingSince(db)
    if (waitingSince && now().getTime() - waitingSince.getTime() > maxEmailWaitMs) {
      return { outcome: 'failed', text: 'emailsWaiting', values: { at: waitingSince } }
    }
    const since = new Date(now().getTime() - undeliveredWithinMs)
    const { lost, others } = await countUndelivered(db, { since, template: messageTemplate, except: aboutTrial })
    if (lost > 0) return { outcome: 'failed', text: 'emailsLost', values: { count: lost } }
    return others > 0
      ? { outcome: 'attention', text: 'emailsFailed', values: { count: others } }
      : { outcome: 'good', text: 'emailsGood' }
  },
}

/** Whether the job has read the mailbox without a problem in the last hour. Else returned emails are not noticed. */
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
export async function checkSenderDns(dependencies: CheckDependencies): Promise<SenderOutcomes> {
  const sender = await senderFromSettings(dependencies)
  const results = await Promise.all(
    dnsCheckNames.map((name) => runDnsCheck(name, sender, dependencies.mail.resolve, dnsWithinMs)),
  )
  return { domain: sender.domain, outcomes: new Map(results.map(({ name, outcome }) => [name, outcome])) }
}

const senderFindings = {
  ok: { outcome: 'good', text: 'senderGood' },
  warning: { outcome: 'attention', text: 'senderWarning' },
  failed: { outcome: 'failed', text: 'senderFailed' },
  unknown: { outcome: 'unknown', text: 'senderUnknown' },
} satisfies Record<string, Finding>

/** Creates the check of one DNS record. Without a mail server its failure is only a warning, because no email is sent. */
const createSenderCheck = (name: DnsCheckName): Check => ({
  everyMs: hourMs,
  screen: '/admin/config/mail',
  async run({ senderDns, mail }) {
    const { domain, outcomes } = await senderDns()
    const finding = senderFindings[outcomes.get(name) ?? 'unknown']
    const outcome = finding.outcome === 'failed' && !mail.sends ? 'attention' : finding.outcome
    return { ...finding, outcome, values: { domain } }
  },
})

export const senderChecks = Object.fromEntries(dnsCheckNames.map((name) => [name, createSenderCheck(name)])) as Record<
  DnsCheckName,
  Check
>

const arrivesWithinMs = 15 * minuteMs
const mailboxWithinMs = 15_000

/**
 * Sends a trial email through the outbox to the mailbox of the site once a day, looks for it there by its Message-ID, and
 * deletes it from both. While it is under way its row in the outbox is the only state, which all instances share. Each
 * instance remembers for itself that it arrived, so each sends one a day.
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
    // Not the sender's address: if its inbox is another one, nothing would delete the daily emails there.
    const recipient = mailboxAddress(value)
    if (recipient === undefined) return { outcome: 'unknown', text: 'arrivalWithoutAddress' }
    const now = ctx.now()
    const { at: arrivedAt } = previous?.values ?? {}
    if (previous?.outcome === 'good' && arrivedAt instanceof Date && isWithinDay(arrivedAt, now)) return previous

    const trial = await findTrialEmail(ctx.db, aboutTrial)
    if (!trial) {
      await sendTrial(ctx, recipient)
      return { outcome: 'unknown', text: 'arrivalUnderWay' }
    }
    if (trial.sentAt) {
      const isFound = await deleteEmail({ ...value, password }, trial.messageId, mailboxWithinMs).catch(toUnreadable)
      if (isFound === 'unreadable') return { outcome: 'unknown', text: 'arrivalUnreadable' }
      if (isFound) {
        await forgetTrial(ctx)
        return { outcome: 'good', text: 'arrivalGood', values: { at: now } }
      }
    }
    // The next run of this check sends another one.
    if (!isWithinDay(trial.createdAt, now)) await forgetTrial(ctx)
    if (trial.problem !== undefined) {
      return { outcome: 'failed', text: 'arrivalRefused', values: { reason: trial.problem.slice(0, 200) } }
    }
    return judgeMissingTrial(trial, now)
  },
}

/** Turns an error of the mailbox or the network into a result; the check `mailbox` reports it. @throws any other error */
function toUnreadable(error: unknown): 'unreadable' {
  if (mailboxProblemOf(error) === undefined) throw error
  return 'unreadable'
}

/** The absolute value, because the system clock may have been set back. */
const isWithinDay = (at: Date, now: Date) => Math.abs(now.getTime() - at.getTime()) < dayMs

/** The finding about a trial email that is not in the mailbox. */
function judgeMissingTrial({ sentAt }: { sentAt: Date | undefined }, now: Date): Finding {
  // The check `emails` reports an email that is not sent.
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
