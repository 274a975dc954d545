import type { PageText } from '../../contract/pages.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { Author } from '../audit/record.ts'
import { findOpenGroup, newGroup } from '../revisions/revision.queries.ts'
import type { PageLocaleKey } from './page.queries.ts'

/** A revision: a text as it was saved once. */
export interface RevisionRow {
  id: number
  /** Counts the revisions of the text from 1. */
  version: number
  text: PageText
  /** The date that the page shows, if an import set it. */
  date: string | null
  at: string
  by: Author
}

/** @returns the new revision's id */
export async function insertPageRevision(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  revision: { version: number; text: PageText; date: string | null; restoredFrom: number | null; at: Date; by: Author },
): Promise<number> {
  const { by, at } = revision
  const group = await findOpenGroup(tx, { of: 'page', id: pageId, locale }, revision)
  const { id } = await tx
    .insertInto('page_revision')
    .values({
      page_id: pageId,
      locale,
      version: revision.version,
      group_id: group,
      text: JSON.stringify(revision.text),
      date: revision.date,
      restored_from: revision.restoredFrom,
      at: at.toISOString(),
      by_id: by.id,
      by_name: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (group === newGroup) await tx.updateTable('page_revision').set({ group_id: id }).where('id', '=', id).execute()
  return id
}

/** Marks a revision as published, for good; the next save starts a new group. */
export async function markPublished(tx: Transaction, id: number): Promise<void> {
  await tx.updateTable('page_revision').set({ published: 1 }).where('id', '=', id).execute()
}

const selectRevisions = (db: Db) =>
  db.selectFrom('page_revision').select(['id', 'version', 'text', 'date', 'at', 'by_id', 'by_name'])
type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRevisions>['execute']>>[number]
const toRow = ({ text, by_id, by_name, ...row }: SelectedRow): RevisionRow => ({
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
  const row = await selectRevisions(db)
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  return row && toRow(row)
}

/** The revision of a text with a version number. */
export async function findByVersion(db: Db, key: PageLocaleKey, version: number): Promise<RevisionRow | undefined> {
  const row = await selectRevisions(db)
    .where('page_id', '=', key.pageId)
    .where('locale', '=', key.locale)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && toRow(row)
}

/** The version number of a revision. */
export async function findRevisionVersion(db: Db, revisionId: number): Promise<number | undefined> {
  const row = await db.selectFrom('page_revision').select('version').where('id', '=', revisionId).executeTakeFirst()
  return row?.version
}
