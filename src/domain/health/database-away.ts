import { randomUUID } from 'node:crypto'
import type { AdminLocale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { postPublic } from '../../platform/net/post-public.ts'
import { getAlarmSetting, listAlarmRecipients } from './alarm.queries.ts'
import { alarmEmail, alarmEvents, type HealthAlarmEmail } from './alarms.ts'
import { minutes } from './check.ts'
import type { HealthResult } from './health.ts'

export interface DatabaseAlarm {
  /** The database answered at a look. */
  answered(ctx: Omit<Context, 'actor'>): Promise<void>
  /** The database was away at a look. */
  failed(ctx: Omit<Context, 'actor'>): Promise<void>
}

/** An outage as long as two looks is told. */
const toldAfterMs = 5 * minutes
/** Undelivered alerts that are kept; older ones are dropped when the database fails again and again. */
const mostUntold = 50
/** A delivery that fails is tried again, at most this often. */
const retryAfterMs = minutes

/**
 * Tells the chosen people that the database is away, and that it is back. Nothing can be noted meanwhile, so every copy of the
 * program remembers who is told, counts by itself, and sends past the outbox.
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
  let isTold = false
  let goodLooks = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let untold: (() => Promise<void>)[] = []

  const tell = (ctx: Omit<Context, 'actor'>, change: Pick<HealthResult, 'outcome' | 'text'>) => {
    const { people = [], webhook } = known ?? {}
    const changes: HealthResult[] = [{ ...change, check: 'database', checkedAt: ctx.now() }]
    const events = alarmEvents(changes, ctx.now())
    if (webhook) {
      untold.push(async () => {
        if (!(await post(webhook, { site: ctx.site.brand, events }))) throw new Error('the webhook did not accept it')
      })
    }
    const deliver = send()
    for (const { email, locale } of deliver ? people : []) {
      const domain = ctx.site.sender.email.split('@').at(-1)
      const messageId = `<${randomUUID()}@${domain}>`
      untold.push(async () => deliver?.({ messageId, locale, data: alarmEmail(changes, email, locale) }))
    }
    untold = untold.slice(-mostUntold)
    triedAt = Number.NEGATIVE_INFINITY
  }
  const deliverUntold = async ({ log }: Pick<Context, 'log'>) => {
    if (untold.length === 0 || steadyMs() - triedAt < retryAfterMs) return
    triedAt = steadyMs()
    const outcomes = await Promise.allSettled(untold.map((deliver) => deliver()))
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    untold = untold.filter((_, index) => outcomes[index]?.status === 'rejected')
    if (refused.length > 0) log.warn({ err: refused[0] }, 'an alarm about the database was not delivered; tried again')
  }

  return {
    async answered(ctx) {
      known = await ctx.transaction(async (tx) => {
        const { people, webhook } = await getAlarmSetting(tx)
        return { people: await listAlarmRecipients(tx, people), webhook }
      })
      awaySince = undefined
      if (isTold && ++goodLooks >= 2) {
        isTold = false
        tell(ctx, { outcome: 'good', text: 'databaseGood' })
      }
      await deliverUntold(ctx)
    },
    async failed(ctx) {
      goodLooks = 0
      awaySince ??= steadyMs()
      // Before the first answer nobody is known who could be told, and so nobody is told of its end.
      if (known && !isTold && steadyMs() - awaySince >= toldAfterMs) {
        isTold = true
        tell(ctx, { outcome: 'failed', text: 'databaseAway' })
      }
      await deliverUntold(ctx)
    },
  }
}

/** An alarm that does not go through the outbox. */
export interface DirectAlarm {
  messageId: string
  locale: AdminLocale
  data: HealthAlarmEmail
}
