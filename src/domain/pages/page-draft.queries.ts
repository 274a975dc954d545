import { deepEqual } from '../../contract/deep-equal.ts'
import type { Locale } from '../../contract/locales.ts'
import type { DraftText } from '../../contract/pages.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { PageLocaleKey } from './page.queries.ts'
import { writeUsages } from './page-write.queries.ts'

/** One user's draft of a page in one language. */
export interface DraftRow {
  /** Null when it was saved or discarded. The row stays, so that a late request cannot restore it. */
  text: DraftText | null
  /** Increases by one with every change; 0 when there is no row. */
  revision: number
  /** The saved version of the page on which the draft is based. */
  baseVersion: number
  savedAt: string
}

const noDraft: DraftRow = { text: null, revision: 0, baseVersion: 0, savedAt: '' }

/** A user's draft; without a row, one with revision 0 and no text. */
export async function findDraft(db: Db, { pageId, locale }: PageLocaleKey, userId: number): Promise<DraftRow> {
  const row = await db
    .selectFrom('page_draft')
    .select(['text', 'revision', 'base_version as baseVersion', 'saved_at as savedAt'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? { ...row, text: row.text === null ? null : JSON.parse(row.text) } : noDraft
}

/** The revision number of a user's draft, and its state without the text: null when it was saved or discarded. */
export async function findDraftState(
  db: Db,
  { pageId, locale }: PageLocaleKey,
  userId: number,
): Promise<{ revision: number; draft: { savedAt: string; baseVersion: number } | null }> {
  const row = await db
    .selectFrom('page_draft')
    .select(['revision', 'base_version as baseVersion', 'saved_at as savedAt'])
    .select((eb) => eb('text', 'is', null).as('ended'))
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return { revision: 0, draft: null }
  const { savedAt, baseVersion } = row
  return { revision: row.revision, draft: row.ended ? null : { savedAt, baseVersion } }
}

/** The languages in which a user has drafts of these pages. */
export async function listDraftLocales(
  db: Db,
  userId: number,
  pageIds: readonly number[],
): Promise<{ pageId: number; locale: Locale }[]> {
  if (pageIds.length === 0) return []
  return db
    .selectFrom('page_draft')
    .select(['page_id as pageId', 'locale'])
    .where('user_id', '=', userId)
    .where('page_id', 'in', pageIds)
    .where('text', 'is not', null)
    .execute()
}

/** Stores the next revision of a draft, if the stored revision is the preceding one. @returns whether it was stored */
export async function writeDraft(tx: Transaction, key: PageLocaleKey, userId: number, next: DraftRow) {
  const { pageId, locale } = key
  const values = {
    text: next.text && JSON.stringify(next.text),
    title: next.text?.title ?? '',
    revision: next.revision,
    base_version: next.baseVersion,
    saved_at: next.savedAt,
  }
  const written =
    next.revision === 1
      ? await tx
          .insertInto('page_draft')
          .values({ page_id: pageId, locale, user_id: userId, ...values })
          .onConflict((conflict) => conflict.doNothing())
          .returning('revision')
          .executeTakeFirst()
      : await tx
          .updateTable('page_draft')
          .set(values)
          .where('page_id', '=', pageId)
          .where('locale', '=', locale)
          .where('user_id', '=', userId)
          .where('revision', '=', next.revision - 1)
          .returning('revision')
          .executeTakeFirst()
  if (!written) return false
  await writeUsages(tx, { pageId, locale, source: 'draft', userId }, next.text ?? undefined)
  return true
}

/**
 * Ends a draft because the page was saved. A draft with another revision stays, unless it has the saved text: another
 * tab of the same user may have stored it.
 * @param saved.revision undefined: any revision
 */
export async function endDraft(
  tx: Transaction,
  key: PageLocaleKey,
  userId: number,
  saved: { revision: number | undefined; text: DraftText; savedAt: Date },
): Promise<void> {
  const draft = await findDraft(tx, key, userId)
  const isSameRevision = (saved.revision ?? draft.revision) === draft.revision
  if (!isSameRevision && !(draft.text && deepEqual(draft.text, saved.text))) return
  if (saved.revision === undefined && !draft.text) return
  const ended = { text: null, revision: draft.revision + 1, baseVersion: draft.baseVersion }
  await writeDraft(tx, key, userId, { ...ended, savedAt: saved.savedAt.toISOString() })
}
