import { z } from 'zod'
import { type Day, dayAt } from '../../contract/day.ts'
import { Refusal } from '../../contract/errors.ts'
import { type HealthAlarms, type HealthCheck, healthChecks, type NewHealthAlarms } from '../../contract/health.ts'
import type { AdminLocale } from '../../contract/locales.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { makeWaitingDue } from '../../platform/mail/outbox-emails.ts'
import { postPublic } from '../../platform/net/post-public.ts'
import { allow, isStale } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canSeeUsers } from '../users/user.policy.ts'
import {
  type DatabaseSize,
  deleteIncident,
  getAlarmSetting,
  type Incident,
  listAlarmRecipients,
  listIncidents,
  saveAlarmSetting,
  storeIncident,
  storeLines,
} from './alarm.queries.ts'
import { minuteMs } from './check.ts'
import { storeReachedAt } from './health.queries.ts'
import { type HealthResult, toLines, toLinesByLocale } from './health.ts'
import { forgetProblems } from './problems.ts'

/** The template name stored in the outbox. */
export const healthAlarmTemplate = 'healthAlarm'

/** Data of an alert email, in the recipient's language: the checks that failed (`began`), and those that recovered (`over`). */
export interface HealthAlarmEmail {
  to: string
  began: { label: string; text: string }[]
  over: { label: string; text: string }[]
}

/** A failure is reported after this many failed runs, and its end after as many without: a short one sends no alert. */
const runsBeforeAlert = 2
/** The minimum time between two recorded check runs of all instances; a little less than the interval of the job. */
const minRunIntervalMs = 4 * minuteMs
/** The maximum number of events that wait until the webhook accepts them; the oldest ones above it are dropped. */
const maxPendingEvents = 50

const webhookEvent = z.object({
  check: z.enum(healthChecks),
  state: z.enum(['began', 'over']),
  text: z.string(),
  at: z.iso.datetime(),
})
type WebhookEvent = z.infer<typeof webhookEvent>

/**
 * Returns who may receive alerts and monthly reports, who does, and the webhook. What the actor may not see is hidden.
 * @throws {Refusal} `not_allowed`
 */
export async function getHealthAlarms(ctx: Context): Promise<HealthAlarms> {
  const actor = allow(ctx, ['config.write'])
  return redactFor(actor, await ctx.transaction(getAlarms))
}

/** Hides the addresses of colleagues and the path of the webhook from an actor who may not see the users. */
function redactFor(actor: Actor, { people, webhook, version }: UnredactedAlarms): HealthAlarms {
  if (canSeeUsers(actor)) return { people, webhook, version }
  return {
    people: people.map((person) => ({ ...person, email: person.id === actor.id ? person.email : null })),
    webhook: webhook && `${new URL(webhook).origin}/…`,
    version,
  }
}

type UnredactedAlarms = HealthAlarms & { people: { email: string }[] }

async function getAlarms(tx: Transaction): Promise<UnredactedAlarms> {
  const { people, reports, webhook, version } = await getAlarmSetting(tx)
  const candidates = await listAlarmRecipients(tx, 'all')
  return {
    people: candidates.map(({ id, name, email }) => ({
      id,
      name,
      email,
      isNotified: people === 'all' || people.includes(id),
      getsReport: reports === 'all' || reports.includes(id),
    })),
    webhook,
    version,
  }
}

/**
 * Stores who receives alerts and monthly reports, and the webhook.
 * @throws {Refusal} `not_allowed`; `stale`; `invalid` for a user who may not receive alerts or reports
 */
export async function changeHealthAlarms(ctx: Context, input: NewHealthAlarms): Promise<HealthAlarms> {
  const actor = allow(ctx, ['config.write'])
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const before = await getAlarms(tx)
    const shown = redactFor(actor, before)
    // An actor from whom the path is hidden sends the redacted URL back: then the webhook stays.
    const keepsWebhook = input.webhook === shown.webhook
    // The redacted URL of another webhook: it was replaced after the actor had loaded it.
    const isWebhookStale = !keepsWebhook && input.webhook?.endsWith('/…')
    if (isWebhookStale || isStale(input, before)) throw new Refusal('stale', { current: shown })
    const candidateIds = new Set(before.people.map(({ id }) => id))
    const problems = (['people', 'reports'] as const).flatMap((path) =>
      input[path].flatMap((id, index) =>
        candidateIds.has(id) ? [] : [{ path: `${path}.${index}`, key: 'unknownUser' as const }],
      ),
    )
    if (problems.length > 0) throw new Refusal('invalid', { problems })
    const { people, reports } = input
    const webhook = keepsWebhook ? before.webhook : input.webhook
    await saveAlarmSetting(tx, {
      people,
      reports,
      webhook,
      version: before.version + 1,
      // The pending events were meant for the previous webhook.
      ...(webhook !== before.webhook && { pending: '[]' }),
    })
    await forgetProblems(tx, ['alarms'])
    const after = await getAlarms(tx)
    await record(
      tx,
      { now: ctx.now, actor },
      {
        action: 'health.alarms_changed',
        subject: { type: 'health', name: '' },
        before: toAuditValues(before),
        after: toAuditValues(after),
      },
    )
    return redactFor(actor, after)
  })
}

/** The values for the audit log. Of the webhook they have only the host, because its path may be a secret. */
const toAuditValues = ({ people, webhook }: UnredactedAlarms) => ({
  recipients: people.filter(({ isNotified }) => isNotified).map(({ email }) => email),
  reports: people.filter(({ getsReport }) => getsReport).map(({ email }) => email),
  webhook: webhook === null ? '' : (URL.parse(webhook)?.host ?? ''),
})

/**
 * Records the results of a check run, and queues alerts for failures and recoveries. If any instance has recorded a run less
 * than `minRunIntervalMs` ago, by the clock of the database, only the fact that the site could be reached is recorded.
 * @returns whether the run was recorded
 */
export async function recordCheckRun(ctx: Omit<Context, 'actor'>, results: readonly HealthResult[]): Promise<boolean> {
  const isRecorded = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const setting = await getAlarmSetting(tx)
    // Recorded even if the run comes too soon: the instance that recorded the last run may be unable to reach the site.
    const reachableResult = results.find(({ check, outcome }) => check === 'reachable' && outcome === 'good')
    if (reachableResult) await storeReachedAt(tx, ctx.origin, reachableResult.checkedAt)
    const databaseNow = await ctx.dialect.clock(tx)
    // The absolute value: after the clock was set back, the last run is in the future.
    const sinceLastRunMs = setting.lastRunAt
      ? Math.abs(databaseNow.getTime() - setting.lastRunAt.getTime())
      : Number.POSITIVE_INFINITY
    if (sinceLastRunMs < minRunIntervalMs) return false

    const incidents = await listIncidents(tx)
    const isMailServer = ({ check }: { check: HealthCheck }) => check === 'mailServer'
    const hasMailRecovered = incidents.some(isMailServer) && results.find(isMailServer)?.outcome === 'good'
    // Emails that wait for their next attempt are sent now.
    if (hasMailRecovered) await makeWaitingDue(tx, ctx.now())
    const changes = await updateIncidents(tx, incidents, results, databaseNow)
    const events = toWebhookEvents(changes, databaseNow)
    await saveAlarmSetting(tx, {
      lastRunAt: databaseNow,
      sizes: addDailySize(dayAt(databaseNow), setting.sizes, results),
      ...(setting.webhook !== null && {
        pending: JSON.stringify([...parsePending(setting.pending), ...events].slice(-maxPendingEvents)),
      }),
    })
    await storeLines(tx, toLinesByLocale(results))
    if (changes.length > 0) await queueAlerts(tx, ctx, changes, setting.people)
    return true
  })
  if (isRecorded) ctx.wake.email()
  return isRecorded
}

const maxDailySizes = 31

/** Returns the daily sizes of the database, with that of `today` if it was measured and is not among them yet. */
function addDailySize(today: Day, sizes: DatabaseSize[], results: readonly HealthResult[]): DatabaseSize[] {
  const size = results.find(({ check }) => check === 'databaseSize')?.values?.size
  const isMeasured = typeof size === 'object' && 'bytes' in size
  if (!isMeasured || sizes.at(-1)?.day === today) return sizes
  return [...sizes, { day: today, bytes: size.bytes }].slice(-maxDailySizes)
}

/**
 * Begins, updates and ends incidents by the results of a check run.
 * @returns the results to report: those of checks that failed in `runsBeforeAlert` runs, and those of reported checks that
 * have passed in as many
 */
async function updateIncidents(
  tx: Transaction,
  incidents: readonly Incident[],
  results: readonly HealthResult[],
  databaseNow: Date,
): Promise<HealthResult[]> {
  const incidentOf = new Map(incidents.map((incident) => [incident.check, incident]))
  const changes: HealthResult[] = []
  for (const result of results) {
    const { check, outcome } = result
    const incident = incidentOf.get(check) ?? { check, failedRuns: 0, passedRuns: 0, notifiedAt: null }
    // An unknown result neither begins nor ends an incident.
    if (outcome === 'unknown') continue
    if (outcome === 'failed') {
      const failedRuns = incident.failedRuns + 1
      const mustNotify = incident.notifiedAt === null && failedRuns >= runsBeforeAlert
      if (mustNotify) changes.push(result)
      const notifiedAt = mustNotify ? databaseNow : incident.notifiedAt
      await storeIncident(tx, { check, failedRuns, passedRuns: 0, notifiedAt })
    } else if (incident.notifiedAt !== null && incident.passedRuns + 1 < runsBeforeAlert) {
      // The first run without a failure: it may be a short recovery.
      await storeIncident(tx, { ...incident, passedRuns: incident.passedRuns + 1 })
    } else if (incidentOf.has(check)) {
      // The incident ends. The end of one that was never reported is not reported either.
      if (incident.notifiedAt !== null) changes.push(result)
      await deleteIncident(tx, check)
    }
  }
  return changes
}

async function queueAlerts(
  tx: Transaction,
  { now, site }: Pick<Context, 'now' | 'site'>,
  changes: readonly HealthResult[],
  recipientIds: readonly number[] | 'all',
): Promise<void> {
  for (const { email, locale } of await listAlarmRecipients(tx, recipientIds)) {
    const data = toAlertEmail(changes, email, locale)
    await queueEmail(tx, { template: healthAlarmTemplate, locale, data, recipients: [email] }, now(), site.sender.email)
  }
}

/** The changes as events for the webhook, in English. */
export const toWebhookEvents = (changes: readonly HealthResult[], at: Date): WebhookEvent[] =>
  // `toLines` returns a line for each result, in the same order.
  toLines(changes, 'en').map(({ check, text }, index) => ({
    check,
    state: changes[index]?.outcome === 'failed' ? 'began' : 'over',
    text,
    at: at.toISOString(),
  }))

/** The changes as data of the alert email to one recipient. */
export function toAlertEmail(changes: readonly HealthResult[], to: string, locale: AdminLocale): HealthAlarmEmail {
  const isFailure = ({ outcome }: HealthResult) => outcome === 'failed'
  const toEmailLines = (results: HealthResult[]) => toLines(results, locale).map(({ label, text }) => ({ label, text }))
  return {
    to,
    began: toEmailLines(changes.filter(isFailure)),
    over: toEmailLines(changes.filter((result) => !isFailure(result))),
  }
}

/**
 * Posts the pending events to the webhook. If it does not accept them, they are posted again after the next check run.
 * @returns false when it did not accept them
 */
export async function postPendingEvents(
  ctx: Pick<Context, 'db' | 'transaction' | 'site' | 'log' | 'dialect'>,
  post: typeof postPublic = postPublic,
): Promise<boolean> {
  const { webhook, pending } = await ctx.transaction(getAlarmSetting)
  const events = parsePending(pending)
  if (webhook === null || events.length === 0) return true
  const accepted = await post(webhook, { site: ctx.site.brand, events })
  if (!accepted) {
    ctx.log.warn('the webhook of the alarms did not accept them; tried again at the next run')
    return false
  }
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const current = await getAlarmSetting(tx)
    // Another instance may have added events meanwhile, and dropped the oldest, so the sent ones are found by their content.
    const sentEvents = new Set(events.map((event) => JSON.stringify(event)))
    const unsent = parsePending(current.pending).filter((event) => !sentEvents.has(JSON.stringify(event)))
    await saveAlarmSetting(tx, { pending: JSON.stringify(unsent) })
  })
  return true
}

function parsePending(pending: string): WebhookEvent[] {
  const { data: events } = z.array(webhookEvent).safeParse(JSON.parse(pending))
  // All events are discarded if one of them is invalid, such as that of a check that only a newer version has.
  return events ?? []
}
