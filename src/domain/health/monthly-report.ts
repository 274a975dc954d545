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

/**
 * Data of the monthly report email; its texts are in the recipient's language. The outbox stores it as JSON, so another version
 * of the program may read it: the names of the fields cannot change.
 */
export interface MonthlyReportEmail {
  to: string
  firstDay: Day
  lastDay: Day
  visits: Figure
  messages: Figure
  /** The number of messages of the month that were answered. */
  answered: number
  /** The median response time; null without answered messages. */
  answeredWithinMs: number | null
  /** The results of the proofs, the nightly test restores of a backup. Absent in emails that an earlier version queued. */
  proofs?: Proofs
  /** The text of the health check `backup`, as of now. */
  backup: string
  /** Checks that fail or need attention, as of now. */
  trouble: { label: string; text: string }[]
  /** The number of checks that gave no result: those with the outcome `unknown`. */
  unseen: number
}

/** The number of days of the month, in total and by how the last proof of a day ended. */
interface Proofs {
  /** All days of the month on which the site existed. */
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
 * Queues the report on the previous month for each recipient, unless an instance has done so in this month. In the first month
 * of the program there is none, because there is no data on the month before.
 * @param results of the latest check run
 */
export async function queueMonthlyReport(ctx: Omit<Context, 'actor'>, results: readonly HealthResult[]): Promise<void> {
  const isQueued = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'health')
    const { reportHandledIn, reports } = await getAlarmSetting(tx)
    const currentMonth = monthAt(await ctx.dialect.clock(tx))
    if (currentMonth === reportHandledIn) return false
    await saveAlarmSetting(tx, { reportHandledIn: currentMonth })
    const recipients = await listAlarmRecipients(tx, reports)
    const isFirstMonth = reportHandledIn === null
    const wasClockSetBack = reportHandledIn !== null && currentMonth < reportHandledIn
    if (isFirstMonth || wasClockSetBack || recipients.length === 0) return false

    const figures = await computeFigures(tx, previousMonth(currentMonth))
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
      const report = { template: monthlyReportTemplate, locale, data, recipients: [email] }
      await queueEmail(tx, report, ctx.now(), ctx.site.sender.email)
    }
    return true
  })
  if (isQueued) ctx.wake.email()
}

/** A month such as `2026-11`, in the time zone of Amsterdam. */
type Month = string
const monthAt = (instant: Date): Month => dayAt(instant).slice(0, 7)

function previousMonth(month: Month): Month {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  return monthNumber === 1 ? `${year - 1}-12` : `${year}-${String(monthNumber - 1).padStart(2, '0')}`
}

function lastDayOf(month: Month): Day {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  // Months are counted from 0 here, so this is day 0 of the next month: the last day of this one.
  return `${month}-${new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()}`
}

/** The numbers of a month, without the results of the health checks. */
async function computeFigures(
  tx: Transaction,
  month: Month,
): Promise<Omit<MonthlyReportEmail, 'to' | 'backup' | 'trouble' | 'unseen'>> {
  const monthBefore = previousMonth(month)
  // Statistics of the kind `device` count each visit once.
  const firstVisitDay = await findFirstDay(tx, 'device')
  const coversMonthBefore = firstVisitDay !== undefined && firstVisitDay <= `${monthBefore}-01`
  const countInBothMonths = async (kind: 'device' | 'message'): Promise<Figure> => {
    const totals = [...(await sumByDay(tx, kind, `${monthBefore}-01`))]
    const countIn = (month: Month) => totals.reduce((sum, [day, count]) => sum + (day.startsWith(month) ? count : 0), 0)
    return { count: countIn(month), before: coversMonthBefore ? countIn(monthBefore) : null }
  }
  const [firstDay, lastDay] = [`${month}-01`, lastDayOf(month)]
  const period = { from: startOfDay(firstDay), until: startOfDay(addDays(lastDay, 1)) }
  const answerTimesMs = (await listAnswerTimes(tx, period)).toSorted((a, b) => a - b)
  const medianIndex = Math.floor((answerTimesMs.length - 1) / 2)
  return {
    firstDay,
    lastDay,
    visits: await countInBothMonths('device'),
    messages: await countInBothMonths('message'),
    answered: answerTimesMs.length,
    answeredWithinMs: answerTimesMs[medianIndex] ?? null,
    proofs: await countProofs(tx, { firstDay, lastDay, firstVisitDay }),
  }
}

/**
 * Counts the days from `firstDay` to `lastDay` by how their last proof ended. The site exists since its first visit or proof;
 * days before that are not counted.
 */
async function countProofs(
  tx: Transaction,
  { firstDay, lastDay, firstVisitDay }: { firstDay: Day; lastDay: Day; firstVisitDay: Day | undefined },
): Promise<Proofs> {
  // Oldest first, so that the last proof of a day is the one in the map.
  const proofs = await listEndedProofs(tx, { from: new Date(0), until: startOfDay(addDays(lastDay, 1)) })
  const lastStateByDay = new Map(proofs.map(({ asked_at, state }) => [dayAt(new Date(asked_at)), state]))
  const knownDays = [...lastStateByDay.keys(), ...(firstVisitDay ? [firstVisitDay] : [])].toSorted()
  const siteStart = knownDays[0] ?? firstDay
  const countedFrom = siteStart > firstDay ? siteStart : firstDay
  // Not below 0, because the first visit may be after `lastDay`.
  const nights = Math.max(0, (Date.parse(lastDay) - Date.parse(countedFrom)) / dayMs + 1)
  const statesOfMonth = [...lastStateByDay].filter(([day]) => day >= firstDay).map(([, state]) => state)
  const countState = (wanted: string) => statesOfMonth.filter((state) => state === wanted).length
  return { nights, proved: countState('proved'), failed: countState('failed'), unknown: countState('unknown') }
}
