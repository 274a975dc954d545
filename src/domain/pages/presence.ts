import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Presence } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { getPageRow } from './find-pages.ts'
import { canSeePages } from './page.policy.ts'
import { deletePresence, deletePresenceBefore, listOthers, writePresence } from './presence.queries.ts'
import { someone } from './show-page.ts'

interface At {
  id: number
  locale: Locale
}

/** Says that somebody has a page open, and hears who else has and what stands now. @throws {Refusal} `not_found` */
export async function bePresent(ctx: Context, { id, locale }: At, { editor }: { editor: string }): Promise<Presence> {
  const actor = allow(ctx, canSeePages)
  const at = { pageId: id, locale }
  const now = ctx.now()
  const since = new Date(now.getTime() - limits.presenceSeconds * 1_000)
  return ctx.transaction(async (tx) => {
    const { texts } = await getPageRow(tx, id)
    await deletePresenceBefore(tx, since)
    await writePresence(tx, at, { userId: actor.id, editor, at: now })
    const text = texts[locale]
    return {
      others: await listOthers(tx, at, { userId: actor.id, since }),
      version: text?.version ?? 0,
      savedAt: text?.savedAt ?? null,
      savedBy: text ? someone(text.savedBy, actor.locale) : null,
    }
  })
}

/** Leaves a page, with one tab or with all of one's own. */
export async function leavePage(
  ctx: Context,
  { id, locale }: At,
  { editor }: { editor?: string | undefined },
): Promise<void> {
  const actor = allow(ctx, canSeePages)
  await ctx.transaction((tx) => deletePresence(tx, { pageId: id, locale }, { userId: actor.id, editor }))
}
