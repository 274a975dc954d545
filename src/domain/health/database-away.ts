import { randomUUID } from 'node:crypto'
import type { AdminLocale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { postPublic } from '../../platform/net/post-public.ts'
import { getAlarmSetting, listAlarmRecipients } from './alarm.queries.ts'
import { alarmEmail, alarmEvents, type HealthAlarmEmail } from './alarms.ts'
import { minuteMs } from './check.ts'
import type { HealthResult } from './health.ts'

export interface DatabaseAlarm {
  /** The database answered in a check run. */
  answered(ctx: Omit<Context, 'actor'>): Promise<void>
  /** The database was away in a check run. */
  failed(ctx: Omit<Context, 'actor'>): Promise<void>
}

/** An outage as long as two check runs is alerted. */
const alertAfterMs = 5 * minuteMs
/** Undelivered alerts that are stored; older ones are dropped when the database fails again and again. */
const maxUndelivered = 50
/** A delivery that fails is tried again, at most this often. */
const retryAfterMs = minuteMs

/**
 * Alerts the chosen people that the database is away, and that it is back. Nothing can be noted meanwhile, so every copy of the
 * program remembers the recipients, counts by itself, and sends past the outbox.
 * @param options.send undefined while there is no mail server
 */
export function createDatabaseAlarm(options: {
  send: () => ((email: DirectAlarm) => Promise<void>) | undefined
  post?: typeof postPublic
  steadyMs?: () => number
}): DatabaseAlarm {
  const { send, post = postPublic, steadyMs = () => performance.now() } = options
  let known: { people: { email: string; locale: AdminLocale }[]; webhook: string | null } | undefined
  let awaySince: number | undefined
  let isAlerted = false
  let passedRuns = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let undelivered: (() => Promise<void>)[] = []

  const queueAlert = (ctx: Omit<Context, 'actor'>, change: Pick<HealthResult, 'outcome' | 'text'>) => {
    const { people = [], webhook } = known ?? {}
    const changes: HealthResult[] = [{ ...change, check: 'database', checkedAt: ctx.now() }]
    const events = alarmEvents(changes, ctx.now())
    if (webhook) {
      undelivered.push(async () => {
        if (!(await post(webhook, { site: ctx.site.brand, events }))) throw new Error('the webhook did not accept it')
      })
    }
    const deliver = send()
    for (const { email, locale } of deliver ? people : []) {
      const domain = ctx.site.sender.email.split('@').at(-1)
      const messageId = `<${randomUUID()}@${domain}>`
      undelivered.push(async () => deliver?.({ messageId, locale, data: alarmEmail(changes, email, locale) }))
    }
    undelivered = undelivered.slice(-maxUndelivered)
    triedAt = Number.NEGATIVE_INFINITY
  }
  const deliverAlerts = async ({ log }: Pick<Context, 'log'>) => {
    if (undelivered.length === 0 || steadyMs() - triedAt < retryAfterMs) return
    triedAt = steadyMs()
    const outcomes = await Promise.allSettled(undelivered.map((deliver) => deliver()))
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    undelivered = undelivered.filter((_, index) => outcomes[index]?.status === 'rejected')
    if (refused.length > 0) log.warn({ err: refused[0] }, 'an alarm about the database was not delivered; tried again')
  }

  return {
    async answered(ctx) {
      known = await ctx.transaction(async (tx) => {
        const { people, webhook } = await getAlarmSetting(tx)
        return { people: await listAlarmRecipients(tx, people), webhook }
      })
      awaySince = undefined
      if (isAlerted && ++passedRuns >= 2) {
        isAlerted = false
        queueAlert(ctx, { outcome: 'good', text: 'databaseGood' })
      }
      await deliverAlerts(ctx)
    },
    async failed(ctx) {
      passedRuns = 0
      awaySince ??= steadyMs()
      // Before the first answer there are no known recipients, and so none is alerted of its end.
      if (known && !isAlerted && steadyMs() - awaySince >= alertAfterMs) {
        isAlerted = true
        queueAlert(ctx, { outcome: 'failed', text: 'databaseAway' })
      }
      await deliverAlerts(ctx)
    },
  }
}

/** An alarm that does not go through the outbox. */
export interface DirectAlarm {
  messageId: string
  locale: AdminLocale
  data: HealthAlarmEmail
}
