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
  saveFoundLines,
  storeIncident,
} from './alarm.queries.ts'
import { minuteMs } from './check.ts'
import { storeReached } from './health.queries.ts'
import { type HealthResult, linesByLanguage, toLines } from './health.ts'
import { forgetProblems } from './problems.ts'

/** The template name stored in the outbox. */
export const healthAlarmTemplate = 'healthAlarm'

/** Data of the alert email, in the recipient's language. */
export interface HealthAlarmEmail {
  to: string
  began: { label: string; text: string }[]
  over: { label: string; text: string }[]
}

/** Consecutive check runs before a failure or a recovery is reported, so that a short failure sends no alert. */
const runsBeforeAlert = 2
/** The minimum time between two runs over all instances; a little less than the interval of the job. */
const minRunIntervalMs = 4 * minuteMs
const pendingMax = 50

const webhookEvent = z.object({
  check: z.enum(healthChecks),
  state: z.enum(['began', 'over']),
  text: z.string(),
  at: z.iso.datetime(),
})
type WebhookEvent = z.infer<typeof webhookEvent>

export async function getHealthAlarms(ctx: Context): Promise<HealthAlarms> {
  const actor = allow(ctx, ['config.write'])
  return redactFor(actor, await ctx.transaction(presentAlarms))
}

/** Addresses of colleagues, and the path of the webhook, are for those who may see the users. */
function redactFor(actor: Actor, { people, webhook, version }: StoredAlarms): HealthAlarms {
  if (canSeeUsers(actor)) return { people, webhook, version }
  return {
    people: people.map((one) => ({ ...one, email: one.id === actor.id ? one.email : null })),
    webhook: webhook && `${new URL(webhook).origin}/…`,
    version,
  }
}

/** With every address. */
type StoredAlarms = HealthAlarms & { people: { email: string }[] }

async function presentAlarms(tx: Transaction): Promise<StoredAlarms> {
  const { people, reports, webhook, version } = await getAlarmSetting(tx)
  const possible = await listAlarmRecipients(tx, 'all')
  return {
    people: possible.map(({ id, name, email }) => ({
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

/** @throws {Refusal} `stale`; `invalid` for a user who may not receive alerts or reports */
export async function changeHealthAlarms(ctx: Context, input: NewHealthAlarms): Promise<HealthAlarms> {
  const actor = allow(ctx, ['config.write'])
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const before = await presentAlarms(tx)
    const isRedactedValue = input.webhook === redactFor(actor, before).webhook
    // The hidden path of another webhook, which was changed meanwhile.
    const isOutdated = !isRedactedValue && input.webhook?.endsWith('/…')
    if (isOutdated || isStale(input, before)) throw new Refusal('stale', { current: redactFor(actor, before) })
    const known = new Set(before.people.map(({ id }) => id))
    const problems = (['people', 'reports'] as const).flatMap((path) =>
      input[path].flatMap((id, index) =>
        known.has(id) ? [] : [{ path: `${path}.${index}`, key: 'unknownUser' as const }],
      ),
    )
    if (problems.length > 0) throw new Refusal('invalid', { problems })
    const { people, reports } = input
    const webhook = isRedactedValue ? before.webhook : input.webhook
    await saveAlarmSetting(tx, {
      people,
      reports,
      webhook,
      version: before.version + 1,
      // The pending events were meant for the previous webhook.
      ...(webhook !== before.webhook && { pending: '[]' }),
    })
    await forgetProblems(tx, ['alarms'])
    const after = await presentAlarms(tx)
    await record(
      tx,
      { now: ctx.now, actor },
      {
        action: 'health.alarms_changed',
        subject: { type: 'health', name: '' },
        before: auditValues(before),
        after: auditValues(after),
      },
    )
    return redactFor(actor, after)
  })
}

/** The path of a webhook may be a secret, so only its host is logged. */
const auditValues = ({ people, webhook }: StoredAlarms) => ({
  recipients: people.filter(({ isNotified }) => isNotified).map(({ email }) => email),
  reports: people.filter(({ getsReport }) => getsReport).map(({ email }) => email),
  webhook: webhook === null ? '' : (URL.parse(webhook)?.host ?? ''),
})

/**
 * Records the results of a check run, and queues alerts for failures that began and for those that ended. A run that comes
 * too soon after the last one of any instance is ignored, by the clock of the database.
 * @returns false when the run was ignored
 */
export async function recordCheckRun(ctx: Omit<Context, 'actor'>, results: readonly HealthResult[]): Promise<boolean> {
  const isRecorded = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const setting = await getAlarmSetting(tx)
    // Also by a run that is ignored: the other instance may not reach the site.
    const reached = results.find(({ check, outcome }) => check === 'reachable' && outcome === 'good')
    if (reached) await storeReached(tx, ctx.origin, reached.checkedAt)
    const at = await ctx.dialect.clock(tx)
    const since =
      setting.lastRunAt === null ? Number.POSITIVE_INFINITY : Math.abs(at.getTime() - setting.lastRunAt.getTime())
    if (since < minRunIntervalMs) return false

    const known = await listIncidents(tx)
    const isMailServer = ({ check }: { check: HealthCheck }) => check === 'mailServer'
    // A mail server that works again gets what waited for it, without the pause after the last attempt.
    if (known.some(isMailServer) && results.find(isMailServer)?.outcome === 'good') await makeWaitingDue(tx, ctx.now())
    const changes = await updateIncidents(tx, known, results, at)
    const events = alarmEvents(changes, at)
    await saveAlarmSetting(tx, {
      lastRunAt: at,
      sizes: withSizeOf(dayAt(at), setting.sizes, results),
      ...(setting.webhook !== null && {
        pending: JSON.stringify([...parsePending(setting.pending), ...events].slice(-pendingMax)),
      }),
    })
    await saveFoundLines(tx, linesByLanguage(results))
    if (changes.length > 0) await queueAlerts(tx, ctx, changes, setting.people)
    return true
  })
  if (isRecorded) ctx.wake.email()
  return isRecorded
}

const sizesMax = 31

/** Adds today's size of the database, unless it is recorded already. */
function withSizeOf(day: Day, sizes: DatabaseSize[], results: readonly HealthResult[]): DatabaseSize[] {
  const size = results.find(({ check }) => check === 'databaseSize')?.values?.size
  if (typeof size !== 'object' || !('bytes' in size) || sizes.at(-1)?.day === day) return sizes
  return [...sizes, { day, bytes: size.bytes }].slice(-sizesMax)
}

/** @returns the results to report: checks that failed in two runs, and reported ones that passed in two runs since */
async function updateIncidents(
  tx: Transaction,
  incidents: readonly Incident[],
  results: readonly HealthResult[],
  at: Date,
): Promise<HealthResult[]> {
  const known = new Map(incidents.map((one) => [one.check, one]))
  const changes: HealthResult[] = []
  for (const result of results) {
    const { check, outcome } = result
    const incident = known.get(check) ?? { check, failedRuns: 0, passedRuns: 0, notifiedAt: null }
    // An unknown result neither starts nor ends an incident.
    if (outcome === 'unknown') continue
    if (outcome === 'failed') {
      const failedRuns = incident.failedRuns + 1
      const isNotified = incident.notifiedAt === null && failedRuns >= runsBeforeAlert
      if (isNotified) changes.push(result)
      await storeIncident(tx, { check, failedRuns, passedRuns: 0, notifiedAt: isNotified ? at : incident.notifiedAt })
    } else if (incident.notifiedAt !== null && incident.passedRuns + 1 < runsBeforeAlert) {
      await storeIncident(tx, { ...incident, passedRuns: incident.passedRuns + 1 })
    } else if (incident.failedRuns > 0) {
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
  ids: readonly number[] | 'all',
): Promise<void> {
  for (const { email, locale } of await listAlarmRecipients(tx, ids)) {
    const data = alarmEmail(changes, email, locale)
    await queueEmail(tx, { template: healthAlarmTemplate, locale, data, recipients: [email] }, now(), site.sender.email)
  }
}

export const alarmEvents = (changes: readonly HealthResult[], at: Date): WebhookEvent[] =>
  toLines(changes, 'en').map(({ check, text }, index) => ({
    check,
    state: changes[index]?.outcome === 'failed' ? 'began' : 'over',
    text,
    at: at.toISOString(),
  }))

/** The email to one recipient. */
export function alarmEmail(changes: readonly HealthResult[], to: string, locale: AdminLocale): HealthAlarmEmail {
  const isBeginning = ({ outcome }: HealthResult) => outcome === 'failed'
  const lines = (some: HealthResult[]) => toLines(some, locale).map(({ label, text }) => ({ label, text }))
  return {
    to,
    began: lines(changes.filter(isBeginning)),
    over: lines(changes.filter((one) => !isBeginning(one))),
  }
}

/**
 * Posts the pending events to the webhook. If it does not accept them, they are posted again after the next check run.
 * @returns whether no events are left to post
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
    const now = await getAlarmSetting(tx)
    // Meanwhile events may have been added, and the oldest ones deleted above the maximum.
    const sent = new Set(events.map((one) => JSON.stringify(one)))
    const left = parsePending(now.pending).filter((one) => !sent.has(JSON.stringify(one)))
    await saveAlarmSetting(tx, { pending: JSON.stringify(left) })
  })
  return true
}

function parsePending(pending: string): WebhookEvent[] {
  const known = z.array(webhookEvent).safeParse(JSON.parse(pending))
  // All events are discarded if one is of a check that only a newer version has.
  return known.data ?? []
}
