import { addDays, type Day, dayAt, daysUpTo } from '../../contract/day.ts'
import { type Locale, localizedPath, splitLocale } from '../../contract/locales.ts'
import { hasRight } from '../../contract/rights.ts'
import { isLanguagePrefix } from '../../contract/slug.ts'
import type { Figure, Statistics, StatisticsQuery } from '../../contract/statistics.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findLivePage } from '../pages/find-live-page.ts'
import { listHiddenLanguages } from '../pages/list-pages.ts'
import { addVisitTotals, findFirstDay, listTopValues, subtractVisit, sumByDay } from './visit-total.queries.ts'

const rowsShown = 20
const pagesShown = 10

/** The visits of recent days, compared with as many days before, for authors of pages and managers of the configuration. */
export async function getStatistics(ctx: Context, { days }: StatisticsQuery): Promise<Statistics> {
  const actor = allow(ctx, ['pages.write', 'config.write'])
  const maySeeMessages = hasRight(actor, ['messages.read', 'messages.write'])
  const { db } = ctx
  const shown = daysUpTo(dayAt(ctx.now()), days)
  const from = shown[0] as Day
  const period: Period = { from, before: addDays(from, -days) }

  const visitsOfDays = await sumByDay(db, 'device', period.before)
  const since = await findFirstDay(db, 'device')
  // Messages are counted since the same version of the program as visits; views since an earlier one.
  const visits = figureOf(visitsOfDays, period, since)
  const views = figureOf(await sumByDay(db, 'view', period.before), period, await findFirstDay(db, 'view'))
  const messages = figureOf(await sumByDay(db, 'message', period.before), period, since)
  const ofDevices = new Map((await listTopValues(db, 'device', { from, limit: rowsShown })).map(valueAndCount))
  const sources = await listTopValues(db, 'source', { from, limit: rowsShown })
  const campaigns = await listTopValues(db, 'campaign', { from, limit: rowsShown })
  const allCampaigns = figureOf(await sumByDay(db, 'campaign', from), period, undefined).count
  return {
    visits,
    views,
    messages: maySeeMessages ? messages : null,
    perThousand: maySeeMessages ? perThousand(messages, visits) : null,
    bots: figureOf(await sumByDay(db, 'bot', from), period, undefined).count,
    days: shown.map((day) => ({ day, count: visitsOfDays.get(day) ?? 0 })),
    devices: {
      desktop: ofDevices.get('desktop') ?? 0,
      phone: ofDevices.get('phone') ?? 0,
      tablet: ofDevices.get('tablet') ?? 0,
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
      other: restOf(allCampaigns, campaigns),
    },
    pages: maySeeMessages ? await pagesOfMessages(ctx, from, messages.count) : null,
  }
}

/** The shown days, until today, and as many days before them. */
interface Period {
  /** The first of the shown days. */
  from: Day
  /** The first of the days before them. */
  before: Day
}

/** @param since the first day that was counted: a period that began earlier is not compared */
function figureOf(totals: ReadonlyMap<Day, number>, { from, before }: Period, since: Day | undefined): Figure {
  const sum = (wanted: (day: Day) => boolean) =>
    [...totals].reduce((total, [day, count]) => total + (wanted(day) ? count : 0), 0)
  const isComplete = since !== undefined && since <= before
  return { count: sum((day) => day >= from), before: isComplete ? sum((day) => day < from) : null }
}

function perThousand(messages: Figure, visits: Figure): Figure {
  const rate = (count: number, of: number) => (of === 0 ? 0 : Math.round((count * 10_000) / of) / 10)
  const compared = messages.before !== null && visits.before !== null
  return {
    count: rate(messages.count, visits.count),
    before: compared ? rate(messages.before as number, visits.before as number) : null,
  }
}

async function pagesOfMessages(ctx: Context, from: Day, all: number): Promise<NonNullable<Statistics['pages']>> {
  const found = await listTopValues(ctx.db, 'message', { from, limit: pagesShown + 1 })
  const rows = found.filter(({ value }) => value !== '').slice(0, pagesShown)
  // A language that the site does not have any more keeps its texts.
  const removedLocales = (await listHiddenLanguages(ctx.db, ctx.site)).map((language) => language.locale)
  return {
    rows: await Promise.all(
      rows.map(async ({ value, count }) => {
        const { path, locale } = splitLocale(value, { locales: ctx.site.locales })
        const page = await findLivePage(ctx, path, locale)
        const removed = page ? undefined : removedLocales.find((one) => isLanguagePrefix([one], value.slice(1)))
        if (removed) return { address: value, locale: removed, title: null, count }
        return { address: localizedPath(path, locale, ctx.site), locale, title: page?.title ?? null, count }
      }),
    ),
    other: restOf(all, rows),
  }
}

/** The address of the page that a message was sent from, written as if Dutch were at the root, so that it stays the same. */
export const countedPage = (path: string, locale: Locale): string => localizedPath(path, locale, {})

/** A message for the statistics. */
interface CountedMessage {
  /** From `countedPage`; empty when it is none of this site. */
  page: string
  at: Date
}

export const countMessage = (tx: Transaction, ctx: Pick<Context, 'dialect'>, { page, at }: CountedMessage) =>
  addVisitTotals(tx, ctx.dialect, dayAt(at), [{ kind: 'message', value: page, count: 1 }])

/** For a message that was counted and turned out to be spam. */
export const uncountMessage = (tx: Transaction, ctx: Pick<Context, 'dialect'>, { page, at }: CountedMessage) =>
  subtractVisit(tx, ctx.dialect, dayAt(at), { kind: 'message', value: page })

const valueAndCount = ({ value, count }: { value: string; count: number }) => [value, count] as const
/** Visits are counted between the queries of a total and of its rows, so the rows can add up to more. */
const restOf = (total: number, rows: readonly { count: number }[]) =>
  Math.max(
    0,
    rows.reduce((rest, { count }) => rest - count, total),
  )
