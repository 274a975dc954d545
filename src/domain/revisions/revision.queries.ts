import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Author } from '../audit/record.ts'

/** The history of a page or a section in one language. */
export interface HistoryKey {
  of: 'page' | 'section'
  id: number | string
  locale: Locale
}

/** Consecutive revisions of a text; `id` is the last of them, `first` the first. */
export interface HistoryGroup {
  id: number
  from: string
  until: string
  by: Author
  saves: number
  published: boolean
  restoredFrom: number | null
  first: number
}

/** The group of a revision that begins one, before it has an id; then its group is its own id. */
export const newGroup = 0

/**
 * Consecutive saves of one user at short intervals form a group, until one is published.
 * @returns the group of the next revision; `newGroup`: it begins one
 */
export async function findOpenGroup(db: Db, key: HistoryKey, { at, by }: { at: Date; by: Author }): Promise<number> {
  const { rows } = await sql<{ group_id: number; by_id: number | null; at: string; published: number }>`
    select group_id, by_id, at, ${published(key)} as published
    from ${revisions(key)} order by version desc limit 1`.execute(db)
  const [last] = rows
  const since = new Date(at.getTime() - limits.historyPauseMinutes * 60_000).toISOString()
  const together =
    last !== undefined && last.published === 0 && by.id !== null && last.by_id === by.id && last.at > since
  return together ? last.group_id : newGroup
}

/** Groups, newest first, and the total. */
export async function listGroups(db: Db, key: HistoryKey, page: { offset: number; limit: number }) {
  const { rows } = await sql<GroupRow>`
    select ends.id, first, "from", until, saves, groups.published, by_id, by_name, restored_from
    from (
      select max(id) as id, group_id as first, min(at) as "from", max(at) as until, count(*) as saves,
        max(${published(key)}) as published
      from ${revisions(key)}
      group by group_id order by group_id desc limit ${page.limit} offset ${page.offset}
    ) as groups inner join ${table(key)} as ends on ends.id = groups.id
    order by first desc`.execute(db)
  const counted = await sql<{ total: number | string }>`
    select count(*) as total from ${revisions(key)} and id = group_id`.execute(db)
  return { groups: rows.map(toGroup), total: Number(counted.rows[0]?.total ?? 0) }
}

interface GroupRow {
  id: number
  first: number
  from: string
  until: string
  saves: number | string
  published: number
  by_id: number | null
  by_name: string
  restored_from: number | null
}

const toGroup = ({ by_id, by_name, restored_from, ...row }: GroupRow): HistoryGroup => ({
  ...row,
  by: { id: by_id, name: by_name },
  saves: Number(row.saves),
  published: row.published === 1,
  restoredFrom: restored_from,
})

/** The saves in the group of a revision, newest first, and the total. */
export async function listSaves(db: Db, key: HistoryKey, revisionId: number, page: { offset: number; limit: number }) {
  const inGroup = sql`${revisions(key)} and group_id = (select group_id from ${table(key)} as one where one.id = ${revisionId})`
  const { rows } = await sql<GroupRow>`
    select ${revisionColumns(key)} from ${inGroup} order by id desc limit ${page.limit} offset ${page.offset}`.execute(
    db,
  )
  const counted = await sql<{ total: number | string }>`select count(*) as total from ${inGroup}`.execute(db)
  return { groups: rows.map(toGroup), total: Number(counted.rows[0]?.total ?? 0) }
}

/** One revision as a group of its own. */
export async function findRevisionAsGroup(db: Db, key: HistoryKey, id: number): Promise<HistoryGroup | undefined> {
  const { rows } = await sql<GroupRow>`select ${revisionColumns(key)} from ${revisions(key)} and id = ${id}`.execute(db)
  return rows[0] && toGroup(rows[0])
}

/** The id of the preceding revision of the same text. */
export async function findPreviousRevision(db: Db, key: HistoryKey, id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from ${revisions(key)} and id < ${id}`.execute(db)
  return rows[0]?.id ?? null
}

/** The id of the last revision of a text. */
export async function findLastRevision(db: Db, key: HistoryKey): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${revisions(key)}`.execute(db)
  return rows[0]?.id ?? null
}

const table = ({ of }: HistoryKey): RawBuilder<unknown> => sql.table(`${of}_revision`)

/** The table and the condition for one text. */
const revisions = (key: HistoryKey): RawBuilder<unknown> =>
  sql`${table(key)} where ${sql.ref(`${key.of}_id`)} = ${key.id} and locale = ${key.locale}`

/** Sections have no published state of their own. */
const published = ({ of }: HistoryKey): RawBuilder<unknown> => (of === 'page' ? sql`published` : sql`0`)

/** The columns of one revision, which is a group of its own. */
const revisionColumns = (key: HistoryKey): RawBuilder<unknown> => sql`
  id, id as first, at as "from", at as until, 1 as saves, ${published(key)} as published, by_id, by_name, restored_from`
