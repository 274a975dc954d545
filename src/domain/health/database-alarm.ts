import { randomUUID } from 'node:crypto'
import type { AdminLocale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { postPublic } from '../../platform/net/post-public.ts'
import { getAlarmSetting, listAlarmRecipients } from './alarm.queries.ts'
import { alarmEmail, alarmEvents, type HealthAlarmEmail } from './alarms.ts'
import { minuteMs } from './check.ts'
import type { HealthResult } from './health.ts'

export interface DatabaseAlarm {
  /** Call it when the database answered in a check run. */
  recordAvailable(ctx: Omit<Context, 'actor'>): Promise<void>
  /** Call it when the database did not answer in a check run. */
  recordUnavailable(ctx: Omit<Context, 'actor'>): Promise<void>
}

/** An outage that lasts this long is alerted. */
const alertAfterMs = 5 * minuteMs
/** The number of alerts that wait for delivery; older ones are dropped when the database fails again and again. */
const maxUndelivered = 50
/** Failed deliveries are tried again, at most this often. */
const retryAfterMs = minuteMs

/** The deliveries of one alert by recipient: an email address, or the URL of the webhook. */
type Alert = Map<string, () => Promise<void>>

/**
 * Alerts the chosen users when the database is unavailable, and when it is back. The outbox is in that database, so every
 * instance keeps the recipients in memory and sends the emails directly.
 * @param options.send undefined while there is no mail server
 */
export function createDatabaseAlarm(options: {
  send: () => ((email: DirectAlert) => Promise<void>) | undefined
  post?: typeof postPublic
  steadyMs?: () => number
}): DatabaseAlarm {
  const { send, post = postPublic, steadyMs = () => performance.now() } = options
  let recipients: { people: { email: string; locale: AdminLocale }[]; webhook: string | null } | undefined
  let unavailableSince: number | undefined
  let isAlerted = false
  let passedRuns = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let undelivered: Alert[] = []

  const queueAlert = (ctx: Omit<Context, 'actor'>, change: Pick<HealthResult, 'outcome' | 'text'>) => {
    const { people = [], webhook } = recipients ?? {}
    const changes: HealthResult[] = [{ ...change, check: 'database', checkedAt: ctx.now() }]
    const events = alarmEvents(changes, ctx.now())
    const alert: Alert = new Map()
    if (webhook) {
      alert.set(webhook, async () => {
        if (!(await post(webhook, { site: ctx.site.brand, events }))) throw new Error('the webhook did not accept it')
      })
    }
    const deliver = send()
    for (const { email, locale } of deliver ? people : []) {
      const domain = ctx.site.sender.email.split('@').at(-1)
      const messageId = `<${randomUUID()}@${domain}>`
      alert.set(email, async () => deliver?.({ messageId, locale, data: alarmEmail(changes, email, locale) }))
    }
    undelivered = [...undelivered, alert].slice(-maxUndelivered)
    triedAt = Number.NEGATIVE_INFINITY
  }
  /** In order, so that nobody learns of the end of an outage before its beginning. */
  const deliverTo = async (recipient: string) => {
    for (const alert of undelivered) {
      await alert.get(recipient)?.()
      alert.delete(recipient)
    }
  }
  const deliverAlerts = async ({ log }: Pick<Context, 'log'>) => {
    if (undelivered.length === 0 || steadyMs() - triedAt < retryAfterMs) return
    triedAt = steadyMs()
    const waiting = new Set(undelivered.flatMap((alert) => [...alert.keys()]))
    const outcomes = await Promise.allSettled([...waiting].map(deliverTo))
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    undelivered = undelivered.filter((alert) => alert.size > 0)
    if (refused.length > 0) log.warn({ err: refused[0] }, 'an alarm about the database was not delivered; tried again')
  }

  return {
    async recordAvailable(ctx) {
      recipients = await ctx.transaction(async (tx) => {
        const { people, webhook } = await getAlarmSetting(tx)
        return { people: await listAlarmRecipients(tx, people), webhook }
      })
      unavailableSince = undefined
      if (isAlerted && ++passedRuns >= 2) {
        isAlerted = false
        queueAlert(ctx, { outcome: 'good', text: 'databaseGood' })
      }
      await deliverAlerts(ctx)
    },
    async recordUnavailable(ctx) {
      passedRuns = 0
      unavailableSince ??= steadyMs()
      // Before the first answer the recipients are not known, and the end of the outage is not alerted either.
      if (recipients && !isAlerted && steadyMs() - unavailableSince >= alertAfterMs) {
        isAlerted = true
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
