import { addDays, type Day, dayAt, daysUpTo } from '../../contract/day.ts'
import { type Locale, localizedPath, splitLocale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import { isLanguagePrefix } from '../../contract/slug.ts'
import type { Figure, Statistics, StatisticsQuery } from '../../contract/statistics.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findLivePage } from '../pages/find-live-page.ts'
import { listHiddenLanguages } from '../pages/list-pages.ts'
import { addVisitTotals, findFirstDay, listTopValues, subtractVisit, sumByDay } from './visit-total.queries.ts'

const rowsShown = 20
const pagesShown = 10

/**
 * The visits of the last days, compared with as many days before. What is about messages is null for who may not see these.
 * @throws {Refusal} `not_allowed` for an actor with neither `pages.write` nor `config.write`
 */
export async function getStatistics(ctx: Context, { days }: StatisticsQuery): Promise<Statistics> {
  const actor = allow(ctx, ['pages.write', 'config.write'])
  const maySeeMessages = hasRight(actor, ['messages.read', 'messages.write'])
  const { db } = ctx
  const shownDays = daysUpTo(dayAt(ctx.now()), days)
  const from = shownDays[0] as Day
  const period: Period = { from, before: addDays(from, -days) }

  // Each visit has one device. Messages are counted since the same version of the program as visits; views since an earlier
  // one.
  const visitsByDay = await sumByDay(db, 'device', period.before)
  const firstDay = await findFirstDay(db, 'device')
  const visits = figureOf(visitsByDay, period, firstDay)
  const views = figureOf(await sumByDay(db, 'view', period.before), period, await findFirstDay(db, 'view'))
  const messages = figureOf(await sumByDay(db, 'message', period.before), period, firstDay)
  const countByDevice = new Map((await listTopValues(db, 'device', { from, limit: rowsShown })).map(valueAndCount))
  const sources = await listTopValues(db, 'source', { from, limit: rowsShown })
  const campaigns = await listTopValues(db, 'campaign', { from, limit: rowsShown })
  const campaignVisits = await sumFrom(db, 'campaign', from)
  return {
    visits,
    views,
    messages: maySeeMessages ? messages : null,
    perThousand: maySeeMessages ? perThousand(messages, visits) : null,
    bots: await sumFrom(db, 'bot', from),
    days: shownDays.map((day) => ({ day, count: visitsByDay.get(day) ?? 0 })),
    devices: {
      desktop: countByDevice.get('desktop') ?? 0,
      phone: countByDevice.get('phone') ?? 0,
      tablet: countByDevice.get('tablet') ?? 0,
    },
    sources: {
      rows: sources.map(({ value, count }) => ({ name: value, count })),
      other: restOf(visits.count, sources),
    },
    campaigns: {
      rows: campaigns.map(({ value, count }) => {
        const [source, medium, campaign] = JSON.parse(value) as [string, string, string]
        return { source, medium, campaign, count }
      }),
      other: restOf(campaignVisits, campaigns),
    },
    pages: maySeeMessages ? await pagesOfMessages(ctx, from, messages.count) : null,
  }
}

/** The days that are shown, up to today, and the period before them, which is as long. */
interface Period {
  /** The first day that is shown. */
  from: Day
  /** The first day of the period before. */
  before: Day
}

/** @param firstDay the first day that was counted: without a count of the whole period before, there is no comparison */
function figureOf(totals: ReadonlyMap<Day, number>, { from, before }: Period, firstDay: Day | undefined): Figure {
  const sumOf = (isIncluded: (day: Day) => boolean) =>
    [...totals].reduce((total, [day, count]) => total + (isIncluded(day) ? count : 0), 0)
  const coversPeriodBefore = firstDay !== undefined && firstDay <= before
  return { count: sumOf((day) => day >= from), before: coversPeriodBefore ? sumOf((day) => day < from) : null }
}

/** The sum of a kind from a day on, without comparison. */
async function sumFrom(db: Database, kind: 'campaign' | 'bot', from: Day): Promise<number> {
  return [...(await sumByDay(db, kind, from)).values()].reduce((total, count) => total + count, 0)
}

/** Messages for each thousand visits, with one decimal. */
function perThousand(messages: Figure, visits: Figure): Figure {
  const rate = (count: number, total: number) => (total === 0 ? 0 : Math.round((count * 10_000) / total) / 10)
  const isCompared = messages.before !== null && visits.before !== null
  return {
    count: rate(messages.count, visits.count),
    before: isCompared ? rate(messages.before as number, visits.before as number) : null,
  }
}

/**
 * The pages from which most messages were sent. One in a language that the site does not have any more is shown by its
 * address, without a title.
 */
async function pagesOfMessages(ctx: Context, from: Day, all: number): Promise<NonNullable<Statistics['pages']>> {
  // One more, because messages without a page are counted under an empty value.
  const topValues = await listTopValues(ctx.db, 'message', { from, limit: pagesShown + 1 })
  const rows = topValues.filter(({ value }) => value !== '').slice(0, pagesShown)
  const removedLocales = (await listHiddenLanguages(ctx.db, ctx.site)).map((language) => language.locale)
  return {
    rows: await Promise.all(
      rows.map(async ({ value, count }) => {
        const { path, locale } = splitLocale(value, { locales: ctx.site.locales })
        const page = await findLivePage(ctx, path, locale)
        const removed = page
          ? undefined
          : removedLocales.find((removedLocale) => isLanguagePrefix([removedLocale], value.slice(1)))
        if (removed) return { address: value, locale: removed, title: null, count }
        return { address: localizedPath(path, locale, ctx.site), locale, title: page?.title ?? null, count }
      }),
    ),
    other: restOf(all, rows),
  }
}

/** The URL of a page as if Dutch were at the root, so that it stays the same when another language is. */
export const countedPage = (path: string, locale: Locale): string => localizedPath(path, locale, {})

/** A message for the statistics. */
interface CountedMessage {
  /** The page that it was sent from, by `countedPage`; empty if that is not known as a page of this site. */
  page: string
  at: Date
}

export const countMessage = (tx: Transaction, ctx: Pick<Context, 'dialect'>, { page, at }: CountedMessage) =>
  addVisitTotals(tx, ctx.dialect, dayAt(at), [{ kind: 'message', value: page, count: 1 }])

/** Takes back the count of a message that turned out to be spam. */
export const uncountMessage = (tx: Transaction, ctx: Pick<Context, 'dialect'>, { page, at }: CountedMessage) =>
  subtractVisit(tx, ctx.dialect, dayAt(at), { kind: 'message', value: page })

const valueAndCount = ({ value, count }: { value: string; count: number }) => [value, count] as const
/** What the rows lack of a total; not below 0, because visits may be counted between the two queries. */
const restOf = (total: number, rows: readonly { count: number }[]) =>
  Math.max(
    0,
    rows.reduce((rest, { count }) => rest - count, total),
  )
