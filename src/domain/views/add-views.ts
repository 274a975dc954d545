import type { Day } from '../../contract/day.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { addPageViews } from './view.queries.ts'

/** Adds what was counted in memory to the totals of a day. The program calls it, nobody asks for it. */
export async function addViews(
  ctx: Pick<Context, 'transaction'>,
  input: { day: Day; pages: readonly { path: string; locale: Locale; views: number }[] },
): Promise<void> {
  const { day, pages } = input
  await ctx.transaction((tx) =>
    addPageViews(
      tx,
      pages.map(({ path, locale, views }) => ({ day, path, locale, views })),
    ),
  )
}
