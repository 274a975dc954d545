import { setImmediate as turn } from 'node:timers/promises'
import { addDays, dayAt } from '../../contract/day.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { deleteOldestDay } from './view.queries.ts'

/** Removes the totals of days that are longer ago than they are kept. @returns how many rows */
export async function purgeViews(
  ctx: Pick<Context, 'transaction' | 'now'>,
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  const before = addDays(dayAt(ctx.now()), -limits.viewsKeptDays)
  let removed = 0
  while (!input.signal?.aborted) {
    const rows = await ctx.transaction((tx) => deleteOldestDay(tx, before))
    if (rows === 0) break
    removed += rows
    await turn()
  }
  return removed
}
