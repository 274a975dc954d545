import { addDays, type Day, dayAt, startOfDay } from '../../contract/day.ts'
import { dayMs } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { listEndedProofs } from '../backup/proof.queries.ts'
import { findFirstDay, sumByDay } from '../views/visit-total.queries.ts'
import { getAlarmSetting, listAlarmRecipients, saveAlarmSetting } from './alarm.queries.ts'
import { listAnswerTimes } from './health.queries.ts'
import { type HealthResult, toLines } from './health.ts'

/** The template name stored in the outbox. */
export const monthlyReportTemplate = 'monthlyReport'

/** Data of the monthly report email, in the recipient's language. */
export interface MonthlyReportEmail {
  to: string
  firstDay: Day
  lastDay: Day
  visits: Figure
  messages: Figure
  answered: number
  /** The median response time; null without answered messages. */
  answeredWithinMs: number | null
  /** By how the last proof of each night ended. Absent in emails that an earlier version queued. */
  proofs?: Proofs
  /** The text of the health check `backup`. */
  backup: string
  trouble: { label: string; text: string }[]
  /** The number of checks with the outcome `unknown`. */
  unseen: number
}

interface Proofs {
  /** How many the month has since the site began. */
  nights: number
  proved: number
  failed: number
  unknown: number
}

interface Figure {
  count: number
  /** The count of the month before; null when the statistics do not cover all of it. */
  before: number | null
}

/**
 * Queues the report on the previous month, once across all instances. In the first month that the program runs there is no
 * report, because there is no data on the month before.
 */
export async function reportMonth(ctx: Omit<Context, 'actor'>, results: readonly HealthResult[]): Promise<void> {
  const isQueued = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const { reportedMonth, reports } = await getAlarmSetting(tx)
    const month = monthAt(await ctx.dialect.clock(tx))
    if (month === reportedMonth) return false
    await saveAlarmSetting(tx, { reportedMonth: month })
    const people = await listAlarmRecipients(tx, reports)
    // If the clock of the database was ahead and is set back, an earlier month comes again.
    if (reportedMonth === null || month < reportedMonth || people.length === 0) return false

    const figures = await figuresOf(tx, previousMonth(month))
    for (const { email, locale } of people) {
      const lines = toLines(results, locale)
      const data: MonthlyReportEmail = {
        ...figures,
        to: email,
        backup: lines.find(({ check }) => check === 'backup')?.text ?? '',
        trouble: lines
          .filter(({ check, outcome }) => check !== 'backup' && (outcome === 'failed' || outcome === 'attention'))
          .map(({ label, text }) => ({ label, text })),
        unseen: lines.filter(({ outcome }) => outcome === 'unknown').length,
      }
      const queued = { template: monthlyReportTemplate, locale, data, recipients: [email] }
      await queueEmail(tx, queued, ctx.now(), ctx.site.sender.email)
    }
    return true
  })
  if (isQueued) ctx.wake.email()
}

/** `2026-11`, in Amsterdam. */
type Month = string
const monthAt = (at: Date): Month => dayAt(at).slice(0, 7)

function previousMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`
}

function lastDayOf(month: Month): Day {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

async function figuresOf(
  tx: Transaction,
  month: Month,
): Promise<Omit<MonthlyReportEmail, 'to' | 'backup' | 'trouble' | 'unseen'>> {
  const before = previousMonth(month)
  const since = await findFirstDay(tx, 'device')
  const isCompared = since !== undefined && since <= `${before}-01`
  const figureOf = async (kind: 'device' | 'message'): Promise<Figure> => {
    const days = [...(await sumByDay(tx, kind, `${before}-01`))]
    const sum = (of: Month) => days.reduce((total, [day, count]) => total + (day.startsWith(of) ? count : 0), 0)
    return { count: sum(month), before: isCompared ? sum(before) : null }
  }
  const [firstDay, lastDay] = [`${month}-01`, lastDayOf(month)]
  const period = { from: startOfDay(firstDay), until: startOfDay(addDays(lastDay, 1)) }
  const times = await listAnswerTimes(tx, period)
  const sorted = times.toSorted((one, other) => one - other)
  return {
    firstDay,
    lastDay,
    visits: await figureOf('device'),
    messages: await figureOf('message'),
    answered: sorted.length,
    answeredWithinMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? null,
    proofs: await countProofs(tx, { firstDay, lastDay, since }),
  }
}

/** @param month.since the first day with visits */
async function countProofs(
  tx: Transaction,
  { firstDay, lastDay, since }: { firstDay: Day; lastDay: Day; since: Day | undefined },
): Promise<Proofs> {
  const ended = await listEndedProofs(tx, { from: new Date(0), until: startOfDay(addDays(lastDay, 1)) })
  const lastOfDays = new Map(ended.map(({ asked_at, state }) => [dayAt(new Date(asked_at)), state]))
  const [began = firstDay] = [since, ...lastOfDays.keys()].filter((day) => day !== undefined).toSorted()
  const from = began > firstDay ? began : firstDay
  // The first visit may be after the month.
  const nights = Math.max(0, (Date.parse(lastDay) - Date.parse(from)) / dayMs + 1)
  const lastOfNights = [...lastOfDays].filter(([day]) => day >= firstDay).map(([, state]) => state)
  const count = (wanted: string) => lastOfNights.filter((state) => state === wanted).length
  return { nights, proved: count('proved'), failed: count('failed'), unknown: count('unknown') }
}
