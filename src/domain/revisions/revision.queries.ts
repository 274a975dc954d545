import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Author } from '../audit/record.ts'

/** Whose revisions: those of a page or a section in one language, here called a text. */
export interface HistoryKey {
  of: 'page' | 'section'
  id: number | string
  locale: Locale
}

/**
 * Consecutive revisions of a text: as ids increase, all from `first` to `id`, made between `from` and `until`. `saves` is
 * their number.
 */
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

/** The provisional `group_id` of a revision that begins a group: its own id is known only after the insert. */
export const newGroup = 0

/**
 * Consecutive saves of one user at short intervals form a group, until one is published.
 * @returns the `group_id` for the next revision; `newGroup` when it begins a group
 */
export async function findOpenGroup(db: Db, key: HistoryKey, { at, by }: { at: Date; by: Author }): Promise<number> {
  const { rows } = await sql<{ group_id: number; by_id: number | null; at: string; published: number }>`
    select group_id, by_id, at, ${publishedColumn(key)} as published
    from ${fromText(key)} order by version desc limit 1`.execute(db)
  const [last] = rows
  if (last === undefined || last.published !== 0 || by.id === null || last.by_id !== by.id) return newGroup
  const pauseStart = new Date(at.getTime() - limits.historyPauseMinutes * 60_000).toISOString()
  return last.at > pauseStart ? last.group_id : newGroup
}

/** Groups, newest first, and the total. */
export async function listGroups(db: Db, key: HistoryKey, range: Range) {
  const { rows } = await sql<GroupRow>`
    select last_row.id, first, "from", until, saves, groups.published, by_id, by_name, restored_from
    from (
      select max(id) as id, group_id as first, min(at) as "from", max(at) as until, count(*) as saves,
        max(${publishedColumn(key)}) as published
      from ${fromText(key)}
      group by group_id order by group_id desc limit ${range.limit} offset ${range.offset}
    ) as groups inner join ${table(key)} as last_row on last_row.id = groups.id
    order by first desc`.execute(db)
  const counted = await sql<{ total: number | string }>`
    select count(*) as total from ${fromText(key)} and id = group_id`.execute(db)
  return { groups: rows.map(toGroup), total: Number(counted.rows[0]?.total ?? 0) }
}

type Range = { offset: number; limit: number }
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

/** The revisions in the same group as a revision, each as a group of its own, newest first, and the total. */
export async function listGroupRevisions(db: Db, key: HistoryKey, revisionId: number, range: Range) {
  const groupId = sql`(select group_id from ${table(key)} as member where member.id = ${revisionId})`
  const inGroup = sql`${fromText(key)} and group_id = ${groupId}`
  const { rows } = await sql<GroupRow>`
    select ${revisionColumns(key)} from ${inGroup} order by id desc limit ${range.limit} offset ${range.offset}`.execute(
    db,
  )
  const counted = await sql<{ total: number | string }>`select count(*) as total from ${inGroup}`.execute(db)
  return { groups: rows.map(toGroup), total: Number(counted.rows[0]?.total ?? 0) }
}

/** One revision as a group of its own. */
export async function findRevisionAsGroup(db: Db, key: HistoryKey, id: number): Promise<HistoryGroup | undefined> {
  const { rows } = await sql<GroupRow>`select ${revisionColumns(key)} from ${fromText(key)} and id = ${id}`.execute(db)
  return rows[0] && toGroup(rows[0])
}

/** The id of the preceding revision of the same text; null for the first. */
export async function findPreviousRevision(db: Db, key: HistoryKey, id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from ${fromText(key)} and id < ${id}`.execute(db)
  return rows[0]?.id ?? null
}

/** The id of the last revision of a text; null when it has none. */
export async function findLastRevision(db: Db, key: HistoryKey): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${fromText(key)}`.execute(db)
  return rows[0]?.id ?? null
}

const table = ({ of }: HistoryKey): RawBuilder<unknown> => sql.table(`${of}_revision`)

/** The table and the `where` clause for one text; callers append their conditions with `and`. */
const fromText = (key: HistoryKey): RawBuilder<unknown> =>
  sql`${table(key)} where ${sql.ref(`${key.of}_id`)} = ${key.id} and locale = ${key.locale}`

/** The column that tells whether a revision was ever published; sections are not published separately. */
const publishedColumn = ({ of }: HistoryKey): RawBuilder<unknown> => (of === 'page' ? sql`published` : sql`0`)

/** The columns of one revision, which is a group of its own. */
const revisionColumns = (key: HistoryKey): RawBuilder<unknown> => sql`
  id, id as first, at as "from", at as until, 1 as saves, ${publishedColumn(key)} as published, by_id, by_name, restored_from`
