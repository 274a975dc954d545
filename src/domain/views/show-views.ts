import { setImmediate as turn } from 'node:timers/promises'
import type { Views, ViewsQuery } from '../../contract/dashboard.ts'
import { type Day, dayAt, daysUpTo } from '../../contract/day.ts'
import { localizedPath } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findPage } from '../pages/find-page.ts'
import { canSeeViews } from './view.policy.ts'
import { listPageViews, type PageAtDay } from './view.queries.ts'

const pagesShown = 10
/** Read at once: few enough that a visitor who comes meanwhile does not wait. */
const slice = 5_000

/** How often pages were looked at in the last days, on each day and of each page. */
export async function showViews(ctx: Context, { days }: ViewsQuery): Promise<Views> {
  allow(ctx, canSeeViews)
  const shown = daysUpTo(dayAt(ctx.now()), days)
  const byDay = new Map<Day, number>(shown.map((day) => [day, 0]))
  const byPage = new Map<string, PageAtDay>()

  for await (const row of rowsFrom(ctx, shown[0] as Day)) {
    byDay.set(row.day, (byDay.get(row.day) ?? 0) + row.views)
    const address = localizedPath(row.path, row.locale)
    byPage.set(address, { ...row, views: row.views + (byPage.get(address)?.views ?? 0) })
  }
  const pages = [...byPage].sort(([, a], [, b]) => b.views - a.views).slice(0, pagesShown)

  return {
    days: [...byDay].map(([day, count]) => ({ day, count })),
    pages: await Promise.all(
      pages.map(async ([address, { path, locale, views }]) => ({
        address,
        locale,
        title: (await findPage(ctx, path, locale))?.title ?? null,
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
