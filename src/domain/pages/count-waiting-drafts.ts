import type { Dashboard } from '../../contract/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { countDrafts, listDraftsOf } from './draft.queries.ts'
import { canWritePages } from './page.policy.ts'

const draftsShown = 5

/** One's own drafts, the newest first, by what they are called, and how many there are of everybody. */
export async function countWaitingDrafts(ctx: Context): Promise<NonNullable<Dashboard['news']['drafts']>> {
  const actor = allow(ctx, canWritePages)
  const mine = await listDraftsOf(ctx.db, actor.id, draftsShown)
  return {
    mine: mine.map(({ title, pageTitle, ...draft }) => ({ ...draft, title: title.trim() || pageTitle })),
    count: await countDrafts(ctx.db),
  }
}
