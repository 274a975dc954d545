import { randomUUID } from 'node:crypto'
import type { AdminLocale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { postPublic } from '../../platform/net/post-public.ts'
import { getAlarmSetting, listAlarmRecipients } from './alarm.queries.ts'
import { type HealthAlarmEmail, toAlertEmail, toWebhookEvents } from './alarms.ts'
import { minuteMs } from './check.ts'
import type { HealthResult } from './health.ts'

/**
 * Alerts about the database. A check run calls one of these methods, which also delivers the waiting alerts; one that fails
 * for another reason calls none.
 */
export interface DatabaseAlarm {
  /** Records that the database answered, and loads the recipients. The second call in a row ends a reported outage. */
  recordAvailable(ctx: Omit<Context, 'actor'>): Promise<void>
  /** Records that the database did not answer. */
  recordUnavailable(ctx: Omit<Context, 'actor'>): Promise<void>
}

/** An outage that lasts this long is alerted. */
const alertAfterMs = 5 * minuteMs
/** The number of check runs in a row with an answer after which the outage is over. */
const runsBeforeRecovery = 2
/** The maximum number of alerts that wait for delivery; the oldest ones above it are dropped. */
const maxUndelivered = 50
/** Failed deliveries are tried again, at most this often. */
const retryAfterMs = minuteMs

/** The remaining deliveries of one alert, by recipient: an email address, or the URL of the webhook. */
type Alert = Map<string, () => Promise<void>>

/**
 * Alerts the chosen users when the database is unavailable, and when it is back. The outbox is in that database, so every
 * instance keeps the recipients in memory and sends the emails directly.
 * @param options.send returns the function that sends an email; undefined while there is no mail server
 * @param options.post posts to the webhook, see `postPublic`
 * @param options.monotonicMs returns the time of a clock that never jumps
 */
export function createDatabaseAlarm(options: {
  send: () => ((email: DirectAlert) => Promise<void>) | undefined
  post?: typeof postPublic
  monotonicMs?: () => number
}): DatabaseAlarm {
  const { send, post = postPublic, monotonicMs = () => performance.now() } = options
  let recipients: { people: { email: string; locale: AdminLocale }[]; webhook: string | null } | undefined
  let unavailableSince: number | undefined
  let isOutageReported = false
  let passedRuns = 0
  let lastTriedAt = Number.NEGATIVE_INFINITY
  let undelivered: Alert[] = []

  const queueAlert = (ctx: Omit<Context, 'actor'>, change: Pick<HealthResult, 'outcome' | 'text'>) => {
    const { people = [], webhook } = recipients ?? {}
    const changes: HealthResult[] = [{ ...change, check: 'database', checkedAt: ctx.now() }]
    const events = toWebhookEvents(changes, ctx.now())
    const alert: Alert = new Map()
    if (webhook) {
      alert.set(webhook, async () => {
        if (!(await post(webhook, { site: ctx.site.brand, events }))) throw new Error('the webhook did not accept it')
      })
    }
    const sendEmail = send()
    for (const { email, locale } of sendEmail ? people : []) {
      const domain = ctx.site.sender.email.split('@').at(-1)
      const messageId = `<${randomUUID()}@${domain}>`
      alert.set(email, async () => sendEmail?.({ messageId, locale, data: toAlertEmail(changes, email, locale) }))
    }
    undelivered = [...undelivered, alert].slice(-maxUndelivered)
    // The next `deliverAlerts` does not wait for `retryAfterMs`.
    lastTriedAt = Number.NEGATIVE_INFINITY
  }
  /** Delivers the alerts to one recipient, in order: nobody learns of the end of an outage before its beginning. */
  const deliverTo = async (recipient: string) => {
    for (const alert of undelivered) {
      await alert.get(recipient)?.()
      alert.delete(recipient)
    }
  }
  const deliverAlerts = async ({ log }: Pick<Context, 'log'>) => {
    if (undelivered.length === 0 || monotonicMs() - lastTriedAt < retryAfterMs) return
    lastTriedAt = monotonicMs()
    const waitingRecipients = new Set(undelivered.flatMap((alert) => [...alert.keys()]))
    const outcomes = await Promise.allSettled([...waitingRecipients].map(deliverTo))
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    undelivered = undelivered.filter((alert) => alert.size > 0)
    if (errors.length > 0) log.warn({ err: errors[0] }, 'an alarm about the database was not delivered; tried again')
  }

  return {
    async recordAvailable(ctx) {
      recipients = await ctx.transaction(async (tx) => {
        const { people, webhook } = await getAlarmSetting(tx)
        return { people: await listAlarmRecipients(tx, people), webhook }
      })
      unavailableSince = undefined
      if (isOutageReported) passedRuns++
      if (isOutageReported && passedRuns >= runsBeforeRecovery) {
        isOutageReported = false
        queueAlert(ctx, { outcome: 'good', text: 'databaseGood' })
      }
      await deliverAlerts(ctx)
    },
    async recordUnavailable(ctx) {
      passedRuns = 0
      unavailableSince ??= monotonicMs()
      // Until the database has answered once, the recipients are unknown, so neither its outage nor its return is reported.
      if (recipients && !isOutageReported && monotonicMs() - unavailableSince >= alertAfterMs) {
        isOutageReported = true
        queueAlert(ctx, { outcome: 'failed', text: 'databaseAway' })
      }
      await deliverAlerts(ctx)
    },
  }
}

/** An alert by email that does not go through the outbox. */
export interface DirectAlert {
  messageId: string
  locale: AdminLocale
  data: HealthAlarmEmail
}
