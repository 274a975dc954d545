import type { Transaction } from '../../platform/db/database.ts'
import type { Db } from './page.queries.ts'
import type { PageAt } from './page-write.queries.ts'

export async function writePresence(
  tx: Transaction,
  { pageId, locale }: PageAt,
  who: { userId: number; editor: string; at: Date },
): Promise<void> {
  const at = who.at.toISOString()
  await tx
    .insertInto('page_presence')
    .values({ page_id: pageId, locale, user_id: who.userId, editor: who.editor, since: at, seen_at: at })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale', 'user_id', 'editor']).doUpdateSet({ seen_at: at }))
    .execute()
}

export async function deletePresence(
  tx: Transaction,
  { pageId, locale }: PageAt,
  who: { userId: number; editor: string | undefined },
): Promise<void> {
  await tx
    .deleteFrom('page_presence')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', who.userId)
    .$if(who.editor !== undefined, (query) => query.where('editor', '=', who.editor as string))
    .execute()
}

/** Those who were not heard of since. */
export async function deletePresenceBefore(tx: Transaction, before: Date): Promise<void> {
  await tx.deleteFrom('page_presence').where('seen_at', '<', before.toISOString()).execute()
}

/** Everybody but one, once, with when they came. */
export async function listOthers(
  db: Db,
  { pageId, locale }: PageAt,
  not: { userId: number; since: Date },
): Promise<{ id: number; name: string; since: string }[]> {
  const rows = await db
    .selectFrom('page_presence')
    .innerJoin('user', 'user.id', 'page_presence.user_id')
    .select((eb) => ['user.id', 'user.name', eb.fn.min('page_presence.since').as('since')])
    .where('page_id', '=', pageId)
    .where('page_presence.locale', '=', locale)
    .where('user_id', '!=', not.userId)
    .where('seen_at', '>=', not.since.toISOString())
    .groupBy(['user.id', 'user.name'])
    .orderBy('since')
    .execute()
  return rows
}
