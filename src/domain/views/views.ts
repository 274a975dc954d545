import type { Views, ViewsQuery } from '../../contract/dashboard.ts'
import { addDays, type Day, dayAt, daysUpTo } from '../../contract/day.ts'
import { type Locale, localizedPath } from '../../contract/locales.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import { inBatches } from '../../platform/in-batches.ts'
import { allow } from '../allow.ts'
import { findLivePage } from '../pages/find-live-page.ts'
import { addPageViews, deleteOldestDay, listMostViewed } from './view.queries.ts'
import { addVisitTotals, sumByDay } from './visit-total.queries.ts'

/** The number of views of a page in one language. */
export interface PageViewCount {
  /** Without the language: `/disclaimer`. */
  path: string
  locale: Locale
  views: number
}

/** The properties by which visits are counted. */
export type VisitKind = 'source' | 'campaign' | 'device'

/** Counts that are still in memory. */
export interface CountedViews {
  pages: readonly PageViewCount[]
  visits: readonly { kind: VisitKind; value: string; count: number }[]
  /** Views by bots. */
  bots: number
}

const pagesShown = 10

/**
 * The page views of the last days, per day and per page.
 * @throws {Refusal} `not_allowed` for an actor with neither `pages.write` nor `config.write`
 */
export async function getPageViews(ctx: Context, { days }: ViewsQuery): Promise<Views> {
  allow(ctx, ['pages.write', 'config.write'])
  const shownDays = daysUpTo(dayAt(ctx.now()), days)
  const from = shownDays[0] as Day
  const byDay = await sumByDay(ctx.db, 'view', from)
  const pages = await listMostViewed(ctx.db, from, pagesShown)
  return {
    days: shownDays.map((day) => ({ day, count: byDay.get(day) ?? 0 })),
    pages: await Promise.all(
      pages.map(async ({ path, locale, views }) => ({
        address: localizedPath(path, locale, ctx.site),
        locale,
        title: (await findLivePage(ctx, path, locale))?.title ?? null,
        views,
      })),
    ),
  }
}

/** Adds what was counted in memory to the day's totals. Called by a background task, so there is no actor. */
export async function storePageViews(
  ctx: Pick<Context, 'transaction' | 'dialect'>,
  input: CountedViews & { day: Day },
): Promise<void> {
  const { day, pages, visits, bots } = input
  const views = pages.reduce((sum, page) => sum + page.views, 0)
  const totals = [
    ...visits,
    { kind: 'view' as const, value: '', count: views },
    { kind: 'bot' as const, value: '', count: bots },
  ]
  await ctx.transaction(async (tx) => {
    await addPageViews(
      tx,
      pages.map(({ path, locale, views }) => ({ day, path, locale, views })),
    )
    await addVisitTotals(tx, ctx.dialect, day, totals)
  })
}

/** Deletes totals past their retention period. @returns how many rows */
export async function purgeViews(
  ctx: Pick<Context, 'transaction' | 'now' | 'site'>,
  signal?: AbortSignal,
): Promise<number> {
  const { statisticsDays } = ctx.site.retention ?? defaultRetention
  const before = addDays(dayAt(ctx.now()), -statisticsDays)
  return inBatches(1, signal, () =>
    ctx.transaction(
      async (tx) =>
        (await deleteOldestDay(tx, 'page_view', before)) + (await deleteOldestDay(tx, 'visit_total', before)),
    ),
  )
}
