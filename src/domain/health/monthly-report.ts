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

/** Data of the monthly report email; its texts are in the recipient's language. */
export interface MonthlyReportEmail {
  to: string
  firstDay: Day
  lastDay: Day
  visits: Figure
  messages: Figure
  /** Messages of the month that were answered. */
  answered: number
  /** The median response time; null without answered messages. */
  answeredWithinMs: number | null
  /** The results of the proofs, the nightly test restores of a backup. Absent in emails that an earlier version queued. */
  proofs?: Proofs
  /** The text of the health check `backup`, as of now. */
  backup: string
  /** Checks that fail or need attention, as of now. */
  trouble: { label: string; text: string }[]
  /** The number of checks with the outcome `unknown`. */
  unseen: number
}

/** The days of the month by how the last test restore on each ended. */
interface Proofs {
  /** The days of the month on which the site existed. */
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
 * Queues the report on the previous month for each recipient, once across all instances. In the first month of the program
 * there is none, because there is no data on the month before.
 * @param results of the latest check run
 */
export async function reportMonth(ctx: Omit<Context, 'actor'>, results: readonly HealthResult[]): Promise<void> {
  const isQueued = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const { reportedMonth, reports } = await getAlarmSetting(tx)
    const month = monthAt(await ctx.dialect.clock(tx))
    if (month === reportedMonth) return false
    await saveAlarmSetting(tx, { reportedMonth: month })
    const recipients = await listAlarmRecipients(tx, reports)
    // The month is earlier than the last one when the clock of the database was set back.
    if (reportedMonth === null || month < reportedMonth || recipients.length === 0) return false

    const figures = await figuresOf(tx, previousMonth(month))
    for (const { email, locale } of recipients) {
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

/** A month such as `2026-11`, in the time zone of Amsterdam. */
type Month = string
const monthAt = (at: Date): Month => dayAt(at).slice(0, 7)

function previousMonth(month: Month): Month {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  return monthNumber === 1 ? `${year - 1}-12` : `${year}-${String(monthNumber - 1).padStart(2, '0')}`
}

function lastDayOf(month: Month): Day {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()}`
}

async function figuresOf(
  tx: Transaction,
  month: Month,
): Promise<Omit<MonthlyReportEmail, 'to' | 'backup' | 'trouble' | 'unseen'>> {
  const monthBefore = previousMonth(month)
  // Each visit is counted once by the kind of its device.
  const firstVisitDay = await findFirstDay(tx, 'device')
  const coversMonthBefore = firstVisitDay !== undefined && firstVisitDay <= `${monthBefore}-01`
  const figureOf = async (kind: 'device' | 'message'): Promise<Figure> => {
    const days = [...(await sumByDay(tx, kind, `${monthBefore}-01`))]
    const countIn = (month: Month) => days.reduce((sum, [day, count]) => sum + (day.startsWith(month) ? count : 0), 0)
    return { count: countIn(month), before: coversMonthBefore ? countIn(monthBefore) : null }
  }
  const [firstDay, lastDay] = [`${month}-01`, lastDayOf(month)]
  const period = { from: startOfDay(firstDay), until: startOfDay(addDays(lastDay, 1)) }
  const answerTimesMs = (await listAnswerTimes(tx, period)).toSorted((a, b) => a - b)
  return {
    firstDay,
    lastDay,
    visits: await figureOf('device'),
    messages: await figureOf('message'),
    answered: answerTimesMs.length,
    answeredWithinMs: answerTimesMs[Math.floor((answerTimesMs.length - 1) / 2)] ?? null,
    proofs: await countProofs(tx, { firstDay, lastDay, firstVisitDay }),
  }
}

/** Counts the days from `firstDay` to `lastDay` by how their last proof ended. A site exists since its first visit or proof. */
async function countProofs(
  tx: Transaction,
  { firstDay, lastDay, firstVisitDay }: { firstDay: Day; lastDay: Day; firstVisitDay: Day | undefined },
): Promise<Proofs> {
  // Oldest first, so that the last proof of a day is the one in the map.
  const proofs = await listEndedProofs(tx, { from: new Date(0), until: startOfDay(addDays(lastDay, 1)) })
  const lastStateByDay = new Map(proofs.map(({ asked_at, state }) => [dayAt(new Date(asked_at)), state]))
  const daysOfSite = [...lastStateByDay.keys(), ...(firstVisitDay ? [firstVisitDay] : [])].toSorted()
  const siteBegan = daysOfSite[0] ?? firstDay
  const from = siteBegan > firstDay ? siteBegan : firstDay
  // The first visit may be after the month.
  const nights = Math.max(0, (Date.parse(lastDay) - Date.parse(from)) / dayMs + 1)
  const states = [...lastStateByDay].filter(([day]) => day >= firstDay).map(([, state]) => state)
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  return { nights, proved: count('proved'), failed: count('failed'), unknown: count('unknown') }
}
