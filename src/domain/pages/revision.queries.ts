import { type Selectable, sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { PageText } from '../../contract/pages.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { PageRevisionTable } from '../../platform/db/tables/pages.ts'
import type { Author } from '../audit/record.ts'
import type { Db, PageLocaleKey } from './page.queries.ts'

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

/**
 * Consecutive saves of one user at short intervals form a group, until one is published.
 * @returns the new revision's id
 */
export async function insertRevision(
  tx: Transaction,
  { pageId, locale }: PageLocaleKey,
  made: { version: number; text: PageText; date: string | null; restoredFrom: number | null; at: Date; by: Author },
): Promise<number> {
  const { by, at } = made
  const last = await tx
    .selectFrom('page_revision')
    .select(['group_id', 'by_id', 'at', 'published'])
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const since = new Date(at.getTime() - limits.historyPauseMinutes * 60_000).toISOString()
  const together =
    last !== undefined && last.published === 0 && by.id !== null && last.by_id === by.id && last.at > since
  const { id } = await tx
    .insertInto('page_revision')
    .values({
      page_id: pageId,
      locale,
      version: made.version,
      group_id: together ? last.group_id : 0,
      text: JSON.stringify(made.text),
      date: made.date,
      restored_from: made.restoredFrom,
      at: at.toISOString(),
      by_id: by.id,
      by_name: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!together) await tx.updateTable('page_revision').set({ group_id: id }).where('id', '=', id).execute()
  return id
}

/** Marks a revision as published once; the next save starts a new group. */
export async function markPublished(tx: Transaction, id: number): Promise<void> {
  await tx.updateTable('page_revision').set({ published: 1 }).where('id', '=', id).execute()
}

const selected = (db: Db) =>
  db.selectFrom('page_revision').select(['id', 'version', 'text', 'date', 'at', 'by_id', 'by_name'])
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const toRow = (row: Selected): RevisionRow => ({
  id: row.id,
  version: row.version,
  text: JSON.parse(row.text),
  date: row.date,
  at: row.at,
  by: { id: row.by_id, name: row.by_name },
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

export interface GroupRow {
  id: number
  from: string
  until: string
  by: Author
  saves: number
  published: boolean
  restoredFrom: number | null
  first: number
}

/** Groups, newest first, and the total. */
export async function listGroups(db: Db, { pageId, locale }: PageLocaleKey, page: { offset: number; limit: number }) {
  const { rows } = await sql<{
    id: number
    first: number
    from: string
    until: string
    saves: number | string
    published: number
  }>`
    select max(id) as id, group_id as first, min(at) as "from", max(at) as until, count(*) as saves,
      max(published) as published
    from page_revision where page_id = ${pageId} and locale = ${locale}
    group by group_id order by group_id desc limit ${page.limit} offset ${page.offset}`.execute(db)
  const ends =
    rows.length === 0
      ? []
      : await endsOf(
          db,
          rows.map(({ id }) => id),
        )
  const counted = await sql<{ total: number | string }>`
    select count(*) as total from page_revision
    where page_id = ${pageId} and locale = ${locale} and id = group_id`.execute(db)
  const groups = rows.flatMap(({ saves, published, ...row }): GroupRow[] => {
    const end = ends.find(({ id }) => id === row.id)
    const by = { id: end?.by_id ?? null, name: end?.by_name ?? '' }
    return [{ ...row, by, saves: Number(saves), published: published === 1, restoredFrom: end?.restored_from ?? null }]
  })
  return { groups, total: Number(counted.rows[0]?.total ?? 0) }
}

/** The saves in the group of a revision, newest first, and the total. */
export async function listSaves(db: Db, at: PageLocaleKey, line: number, page: { offset: number; limit: number }) {
  const inLine = saves(db, at).where('group_id', '=', (eb) =>
    eb.selectFrom('page_revision as one').select('one.group_id').where('one.id', '=', line),
  )
  const rows = await inLine.select(aSave).orderBy('id', 'desc').offset(page.offset).limit(page.limit).execute()
  const { total } = await inLine.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return { groups: rows.map(toGroup), total: Number(total) }
}

/** One save in the format of a group. */
export async function findSave(db: Db, at: PageLocaleKey, id: number): Promise<GroupRow | undefined> {
  const row = await saves(db, at).select(aSave).where('id', '=', id).executeTakeFirst()
  return row && toGroup(row)
}

const saves = (db: Db, { pageId, locale }: PageLocaleKey) =>
  db.selectFrom('page_revision').where('page_id', '=', pageId).where('locale', '=', locale)
const aSave = ['id', 'at', 'by_id', 'by_name', 'published', 'restored_from'] as const

const toGroup = (row: Pick<Selectable<PageRevisionTable>, (typeof aSave)[number]>): GroupRow => ({
  id: row.id,
  first: row.id,
  from: row.at,
  until: row.at,
  by: { id: row.by_id, name: row.by_name },
  saves: 1,
  published: row.published === 1,
  restoredFrom: row.restored_from,
})

const endsOf = (db: Db, ids: number[]) =>
  db.selectFrom('page_revision').select(['id', 'by_id', 'by_name', 'restored_from']).where('id', 'in', ids).execute()

/** The id of the preceding revision of the same page and language. */
export async function findBefore(db: Db, { pageId, locale }: PageLocaleKey, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('page_revision')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('id', '<', id)
    .executeTakeFirst()
  return row?.id ?? null
}
