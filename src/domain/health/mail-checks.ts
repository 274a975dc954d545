import { dayMs } from '../../contract/limits.ts'
import { type SenderCheckName, senderCheckNames } from '../../contract/mail-checks.ts'
import { findSender, runSenderCheck } from '../mail/check-sender.ts'
import { mailStepResults } from '../mail/mail-server.ts'
import { type Check, type Finding, type HealthSource, hours, minutes, type SenderOutcomes } from './check.ts'
import { findMailTrouble } from './health.queries.ts'

/** An email that is queued longer than this has usually failed several attempts. */
const waitsTooLongMs = hours
const failedWithinMs = 7 * dayMs
const dnsWithinMs = 15_000

export const mailServer: Check = {
  everyMs: 10 * minutes,
  screen: '/admin/config/mail',
  async run({ mailTry }) {
    const tried = await mailTry()
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
  everyMs: minutes,
  screen: '/admin/mail',
  async run({ db, now }) {
    const { waitingSince, failed } = await findMailTrouble(db, { since: new Date(now().getTime() - failedWithinMs) })
    if (waitingSince && now().getTime() - waitingSince.getTime() > waitsTooLongMs) {
      return { outcome: 'failed', text: 'emailsWaiting', values: { at: waitingSince } }
    }
    return failed > 0
      ? { outcome: 'attention', text: 'emailsFailed', values: { count: failed } }
      : { outcome: 'good', text: 'emailsGood' }
  },
}

/** Runs all DNS checks of the sender's domain concurrently. */
export async function checkSenderDns(source: HealthSource): Promise<SenderOutcomes> {
  const sender = await findSender(source)
  const found = await Promise.all(
    senderCheckNames.map((name) => runSenderCheck(name, sender, source.mail.resolve, dnsWithinMs)),
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
const senderCheck = (name: SenderCheckName): Check => ({
  everyMs: hours,
  screen: '/admin/config/mail',
  async run({ senderDns, mail }) {
    const { domain, outcomes } = await senderDns()
    const finding = senderFindings[outcomes.get(name) ?? 'unknown']
    const outcome = finding.outcome === 'failed' && !mail.sends ? 'attention' : finding.outcome
    return { ...finding, outcome, values: { domain } }
  },
})

export const senderChecks = Object.fromEntries(senderCheckNames.map((name) => [name, senderCheck(name)])) as Record<
  SenderCheckName,
  Check
>
