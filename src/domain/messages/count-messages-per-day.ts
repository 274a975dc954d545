import { setImmediate as turn } from 'node:timers/promises'
import type { MessagesPerDay } from '../../contract/dashboard.ts'
import { addDays, dayAt, daysUpTo, startOf } from '../../contract/day.ts'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { canSeeMessages } from './message.policy.ts'
import { countMessagesBetween } from './message.queries.ts'

/** How many messages came in on each of the last days, spam left out. */
export async function countMessagesPerDay(ctx: Context): Promise<MessagesPerDay> {
  allow(ctx, canSeeMessages)
  const days: MessagesPerDay['days'] = []
  for (const day of daysUpTo(dayAt(ctx.now()), limits.messageDaysShown)) {
    days.push({ day, count: await countMessagesBetween(ctx.db, startOf(day), startOf(addDays(day, 1))) })
    // Of very many messages a day takes a while, and others shall have their turn.
    await turn()
  }
  return { days }
}
