import type { Db, Transaction } from '../../platform/db/database.ts'
import { countResults } from '../../platform/db/query-results.ts'
import type { PageLocaleKey } from '../pages/page.queries.ts'

/** The drafts of one user, newest first, without those of pages in the trash. */
export async function listDraftsOf(db: Db, userId: number, max: number) {
  return db
    .selectFrom('page_draft')
    .innerJoin('page', 'page.id', 'page_draft.page_id')
    .select(['page_draft.page_id as pageId', 'page_draft.locale', 'page_draft.title', 'page_draft.saved_at as savedAt'])
    .select('page.title as pageTitle')
    .where('page_draft.user_id', '=', userId)
    .where('page_draft.text', 'is not', null)
    .where('page.trashed', '=', 0)
    .orderBy('page_draft.saved_at', 'desc')
    .limit(max)
    .execute()
}

/** How many drafts `listDraftsOf` has. */
export const countDraftsOf = (db: Db, userId: number): Promise<number> =>
  countResults(
    db
      .selectFrom('page_draft')
      .innerJoin('page', 'page.id', 'page_draft.page_id')
      .where('page_draft.user_id', '=', userId)
      .where('page_draft.text', 'is not', null)
      .where('page.trashed', '=', 0),
  )

/** How many drafts there are of all users, without those of pages in the trash. */
export const countDrafts = (db: Db): Promise<number> =>
  countResults(
    db
      .selectFrom('page_draft')
      .where('text', 'is not', null)
      // The trash is the smaller set, so drafts of other pages are counted from the index alone.
      .where('page_id', 'not in', (eb) => eb.selectFrom('page').select('id').where('trashed', '=', 1)),
  )

/** Records that a tab of a user has the page open at `seen.at`; the time of opening stays. */
export async function writePresence(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  seen: { userId: number; tabId: string; at: Date },
): Promise<void> {
  const at = seen.at.toISOString()
  await tx
    .insertInto('page_presence')
    .values({ page_id: pageId, locale, user_id: seen.userId, tab_id: seen.tabId, since: at, seen_at: at })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale', 'user_id', 'tab_id']).doUpdateSet({ seen_at: at }))
    .execute()
}

/** @param tab.tabId undefined: all tabs of the user */
export async function deletePresence(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  tab: { userId: number; tabId: string | undefined },
): Promise<void> {
  await tx
    .deleteFrom('page_presence')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', tab.userId)
    .$if(tab.tabId !== undefined, (query) => query.where('tab_id', '=', tab.tabId as string))
    .execute()
}

/** Deletes the presence of tabs that were last seen before a time. */
export async function deletePresenceBefore(tx: Transaction, seenBefore: Date): Promise<void> {
  await tx.deleteFrom('page_presence').where('seen_at', '<', seenBefore.toISOString()).execute()
}

/** The other users who have the page open, each once, with the earliest time at which they opened it, in that order. */
export async function listOtherUsers(
  db: Db,
  { pageId, locale }: PageLocaleKey,
  { userId, seenSince }: { userId: number; seenSince: Date },
): Promise<{ id: number; name: string; since: string }[]> {
  return db
    .selectFrom('page_presence')
    .innerJoin('user', 'user.id', 'page_presence.user_id')
    .select((eb) => ['user.id', 'user.name', eb.fn.min('page_presence.since').as('since')])
    .where('page_id', '=', pageId)
    .where('page_presence.locale', '=', locale)
    .where('user_id', '!=', userId)
    .where('seen_at', '>=', seenSince.toISOString())
    .groupBy(['user.id', 'user.name'])
    .orderBy('since')
    .execute()
}
