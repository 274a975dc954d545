import type { PageText } from '../../contract/pages.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { Author } from '../audit/record.ts'
import { findOpenGroup, newGroup } from '../revisions/revision.queries.ts'
import type { PageLocaleKey } from './page.queries.ts'

/** A saved text. */
export interface RevisionRow {
  id: number
  version: number
  text: PageText
  /** The date set by an import. */
  date: string | null
  at: string
  by: Author
}

/** @returns the new revision's id */
export async function insertRevision(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  made: { version: number; text: PageText; date: string | null; restoredFrom: number | null; at: Date; by: Author },
): Promise<number> {
  const { by, at } = made
  const group = await findOpenGroup(tx, { of: 'page', id: pageId, locale }, made)
  const { id } = await tx
    .insertInto('page_revision')
    .values({
      page_id: pageId,
      locale,
      version: made.version,
      group_id: group,
      text: JSON.stringify(made.text),
      date: made.date,
      restored_from: made.restoredFrom,
      at: at.toISOString(),
      by_id: by.id,
      by_name: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (group === newGroup) await tx.updateTable('page_revision').set({ group_id: id }).where('id', '=', id).execute()
  return id
}

/** Marks a revision as published once; the next save starts a new group. */
export async function markPublished(tx: Transaction, id: number): Promise<void> {
  await tx.updateTable('page_revision').set({ published: 1 }).where('id', '=', id).execute()
}

const selected = (db: Db) =>
  db.selectFrom('page_revision').select(['id', 'version', 'text', 'date', 'at', 'by_id', 'by_name'])
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const toRow = ({ text, by_id, by_name, ...row }: Selected): RevisionRow => ({
  ...row,
  text: JSON.parse(text),
  by: { id: by_id, name: by_name },
})

/** A revision of this page in this language. */
export async function findPageRevision(
  db: Db,
  { pageId, locale }: PageLocaleKey,
  id: number,
): Promise<RevisionRow | undefined> {
  const row = await selected(db)
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  return row && toRow(row)
}

export async function findVersion(db: Db, at: PageLocaleKey, version: number): Promise<RevisionRow | undefined> {
  const row = await selected(db)
    .where('page_id', '=', at.pageId)
    .where('locale', '=', at.locale)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && toRow(row)
}

export async function findVersionOf(db: Db, revisionId: number): Promise<number | undefined> {
  const row = await db.selectFrom('page_revision').select('version').where('id', '=', revisionId).executeTakeFirst()
  return row?.version
}
