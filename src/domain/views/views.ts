import { setImmediate as turn } from 'node:timers/promises'
import type { Views, ViewsQuery } from '../../contract/dashboard.ts'
import { addDays, type Day, dayAt, daysUpTo } from '../../contract/day.ts'
import { type Locale, localizedPath } from '../../contract/locales.ts'
import { defaultRetention } from '../../contract/retention.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findLivePage } from '../pages/find-live-page.ts'
import { addPageViews, deleteOldestDay, listPageViews, type PageAtDay } from './view.queries.ts'
import { addVisitTotals, deleteOldestTotals } from './visit-total.queries.ts'

/** The number of views of a page in one language. */
export interface PageViewCount {
  /** Without the language: `/disclaimer`. */
  path: string
  locale: Locale
  views: number
}

/** What a visit is counted by. */
export type VisitKind = 'source' | 'campaign' | 'device'

/** What was counted in memory. */
export interface CountedViews {
  pages: readonly PageViewCount[]
  visits: readonly { kind: VisitKind; value: string; count: number }[]
  /** Views by bots. */
  bots: number
}

const pagesShown = 10
/** Rows per query, few enough not to delay visitors. */
const slice = 5_000

/** Page views of recent days, per day and per page, for authors of pages and managers of the configuration. */
export async function getPageViews(ctx: Context, { days }: ViewsQuery): Promise<Views> {
  allow(ctx, ['pages.write', 'config.write'])
  const shown = daysUpTo(dayAt(ctx.now()), days)
  const byDay = new Map<Day, number>(shown.map((day) => [day, 0]))
  const byPage = new Map<string, PageAtDay>()

  for await (const row of rowsFrom(ctx, shown[0] as Day)) {
    byDay.set(row.day, (byDay.get(row.day) ?? 0) + row.views)
    const address = localizedPath(row.path, row.locale, ctx.site)
    byPage.set(address, { ...row, views: row.views + (byPage.get(address)?.views ?? 0) })
  }
  const pages = [...byPage].sort(([, a], [, b]) => b.views - a.views).slice(0, pagesShown)

  return {
    days: [...byDay].map(([day, count]) => ({ day, count })),
    pages: await Promise.all(
      pages.map(async ([address, { path, locale, views }]) => ({
        address,
        locale,
        title: (await findLivePage(ctx, path, locale))?.title ?? null,
        views,
      })),
    ),
  }
}

async function* rowsFrom(ctx: Context, from: Day): AsyncGenerator<PageAtDay> {
  let after: PageAtDay | undefined
  for (;;) {
    const rows = await listPageViews(ctx.db, from, slice, after)
    yield* rows
    if (rows.length < slice) return
    after = rows.at(-1)
    await turn()
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
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  const { statisticsDays } = ctx.site.retention ?? defaultRetention
  const before = addDays(dayAt(ctx.now()), -statisticsDays)
  let removed = 0
  while (!input.signal?.aborted) {
    const rows = await ctx.transaction(
      async (tx) => (await deleteOldestDay(tx, before)) + (await deleteOldestTotals(tx, before)),
    )
    if (rows === 0) break
    removed += rows
    await turn()
  }
  return removed
}
