import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { DraftText } from '../../contract/pages.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Db } from './page.queries.ts'
import { type PageAt, writePlaces } from './page-write.queries.ts'

export interface DraftRow {
  /** Null: it was saved or thrown away. */
  text: DraftText | null
  number: number
  baseVersion: number
  savedAt: string
}

/** In which languages of these pages somebody has a draft. */
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

const owned = (db: Db, { pageId, locale }: PageAt, userId: number) =>
  db.selectFrom('page_draft').where('page_id', '=', pageId).where('locale', '=', locale).where('user_id', '=', userId)

/** A draft without what it says. */
export async function findDraftAbout(
  db: Db,
  at: PageAt,
  userId: number,
): Promise<{ number: number; savedAt: string; baseVersion: number } | undefined> {
  return owned(db, at, userId)
    .where('text', 'is not', null)
    .select(['number', 'saved_at as savedAt', 'base_version as baseVersion'])
    .executeTakeFirst()
}

/** Also one that is over, for its count goes on. */
export async function findDraftRow(db: Db, at: PageAt, userId: number): Promise<DraftRow | undefined> {
  const row = await owned(db, at, userId).select(['text', 'number', 'base_version', 'saved_at']).executeTakeFirst()
  return (
    row && {
      text: row.text === null ? null : JSON.parse(row.text),
      number: row.number,
      baseVersion: row.base_version,
      savedAt: row.saved_at,
    }
  )
}

export async function writeDraft(tx: Transaction, at: PageAt, userId: number, draft: DraftRow): Promise<void> {
  const { pageId, locale } = at
  const values = {
    text: draft.text && JSON.stringify(draft.text),
    title: draft.text?.title ?? '',
    number: draft.number,
    base_version: draft.baseVersion,
    saved_at: draft.savedAt,
  }
  await tx
    .insertInto('page_draft')
    .values({ page_id: pageId, locale, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale', 'user_id']).doUpdateSet(values))
    .execute()
  await writePlaces(tx, { pageId, locale, source: 'draft', userId }, draft.text ?? undefined)
  if (values.text === null) await deleteSteps(tx, at, userId)
  else await insertStep(tx, at, userId, { number: draft.number, text: values.text })
}

async function insertStep(
  tx: Transaction,
  { pageId, locale }: PageAt,
  userId: number,
  step: { number: number; text: string },
): Promise<void> {
  await tx
    .insertInto('page_draft_step')
    .values({ page_id: pageId, locale, user_id: userId, ...step })
    .execute()
  await tx
    .deleteFrom('page_draft_step')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .where('number', '<=', step.number - limits.draftSteps)
    .execute()
}

async function deleteSteps(tx: Transaction, { pageId, locale }: PageAt, userId: number): Promise<void> {
  await tx
    .deleteFrom('page_draft_step')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .updateTable('page_draft_tab')
    .set({ text: null })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .execute()
}

/** What was stored under a number, while it is remembered. */
export async function findStep(
  db: Db,
  { pageId, locale }: PageAt,
  userId: number,
  number: number,
): Promise<DraftText | undefined> {
  const row = await db
    .selectFrom('page_draft_step')
    .select('text')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row && JSON.parse(row.text)
}

/** What a tab sent last. */
export interface TabRow {
  editorNumber: number
  number: number
  text: DraftText | null
}

export async function findTab(
  db: Db,
  { pageId, locale }: PageAt,
  userId: number,
  editor: string,
): Promise<TabRow | undefined> {
  const row = await db
    .selectFrom('page_draft_tab')
    .select(['editor_number', 'number', 'text'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .where('editor', '=', editor)
    .executeTakeFirst()
  return row && { editorNumber: row.editor_number, number: row.number, text: row.text && JSON.parse(row.text) }
}

/** Whether another tab than this one wrote into the draft that there is, after the one of that number. */
export async function hasWrittenSince(
  db: Db,
  { pageId, locale }: PageAt,
  userId: number,
  { not, number }: { not: string; number: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('page_draft_tab')
    .select('number')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .where('editor', '!=', not)
    .where('number', '>', number)
    // Without one it is of a draft that is over.
    .where('text', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Tabs are closed without a word, so what was not heard of for so long is forgotten. */
const tabKeptMs = 14 * 24 * 60 * 60_000

export async function writeTab(
  tx: Transaction,
  { pageId, locale }: PageAt,
  userId: number,
  tab: TabRow & { editor: string; at: Date },
): Promise<void> {
  const values = {
    editor_number: tab.editorNumber,
    number: tab.number,
    text: tab.text && JSON.stringify(tab.text),
    at: tab.at.toISOString(),
  }
  await tx
    .insertInto('page_draft_tab')
    .values({ page_id: pageId, locale, user_id: userId, editor: tab.editor, ...values })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale', 'user_id', 'editor']).doUpdateSet(values))
    .execute()
  await tx
    .deleteFrom('page_draft_tab')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('at', '<', new Date(tab.at.getTime() - tabKeptMs).toISOString()),
        eb(
          'editor',
          'not in',
          eb
            .selectFrom('page_draft_tab as newest')
            .select('newest.editor')
            .where('newest.page_id', '=', pageId)
            .where('newest.locale', '=', locale)
            .where('newest.user_id', '=', userId)
            .orderBy('newest.at', 'desc')
            .orderBy('newest.number', 'desc')
            .limit(limits.draftTabs),
        ),
      ]),
    )
    .execute()
}

/** Somebody's drafts, the newest first, and how many there are. Those in the bin wait for nobody. */
export async function listDraftsOf(db: Db, userId: number, most: number) {
  return db
    .selectFrom('page_draft')
    .innerJoin('page', 'page.id', 'page_draft.page_id')
    .select(['page_draft.page_id as pageId', 'page_draft.locale', 'page_draft.title', 'page_draft.saved_at as savedAt'])
    .select('page.title as pageTitle')
    .where('page_draft.user_id', '=', userId)
    .where('page_draft.text', 'is not', null)
    .where('page.bin', '=', 0)
    .orderBy('page_draft.saved_at', 'desc')
    .limit(most)
    .execute()
}

export async function countDrafts(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('page_draft')
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .where('text', 'is not', null)
    // The bin is the smaller side: what is not in it is counted in the index alone.
    .where('page_id', 'not in', (eb) => eb.selectFrom('page').select('id').where('bin', '=', 1))
    .executeTakeFirstOrThrow()
  return Number(total)
}
