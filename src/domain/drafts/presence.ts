import type { Presence } from '../../contract/drafts.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { shownAuthor } from '../audit/record.ts'
import { getPageRow } from '../pages/list-pages.ts'
import { canSeePages } from '../pages/page.policy.ts'
import { deletePresence, deletePresenceBefore, listOthers, writePresence } from './draft.queries.ts'

interface At {
  id: number
  locale: Locale
}

/**
 * Records that the actor has a page open in a tab.
 * @returns the other users who have it open, and the saved versions
 * @throws {Refusal} `not_found`
 */
export async function reportPresence(
  ctx: Context,
  { id, locale }: At,
  { editor: tabId }: { editor: string },
): Promise<Presence> {
  const actor = allow(ctx, canSeePages)
  const at = { pageId: id, locale }
  const now = ctx.now()
  const since = new Date(now.getTime() - limits.presenceSeconds * 1_000)
  return ctx.transaction(async (tx) => {
    const { texts } = await getPageRow(tx, id)
    await deletePresenceBefore(tx, since)
    await writePresence(tx, at, { userId: actor.id, tabId, at: now })
    const text = texts[locale]
    return {
      others: await listOthers(tx, at, { userId: actor.id, since }),
      version: text?.version ?? 0,
      savedAt: text?.savedAt ?? null,
      savedBy: text ? shownAuthor(text.savedBy, actor.locale) : null,
    }
  })
}

/** Ends the presence of one tab, or of all tabs of the actor. */
export async function endPresence(
  ctx: Context,
  { id, locale }: At,
  { editor: tabId }: { editor?: string | undefined },
): Promise<void> {
  const actor = allow(ctx, canSeePages)
  await ctx.transaction((tx) => deletePresence(tx, { pageId: id, locale }, { userId: actor.id, tabId }))
}
