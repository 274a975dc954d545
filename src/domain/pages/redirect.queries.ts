import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { redirectSorts } from '../../contract/pages.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { containsAll } from '../../platform/db/text-search.ts'
import type { By, Db } from './page.queries.ts'
import { splitTarget } from './redirect-target.ts'

export interface RedirectRow {
  id: number
  from: string
  to: string
  automatic: boolean
  version: number
  createdAt: string
  by: By
}

const selected = (db: Db) =>
  db
    .selectFrom('redirect')
    .select(['id', 'from_path', 'to_path', 'automatic', 'version', 'created_at', 'by_id', 'by_name'])
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const toRow = (row: Selected): RedirectRow => ({
  id: row.id,
  from: row.from_path,
  to: row.to_path,
  automatic: row.automatic === 1,
  version: row.version,
  createdAt: row.created_at,
  by: { id: row.by_id, name: row.by_name },
})

export async function findRedirect(db: Db, id: number): Promise<RedirectRow | undefined> {
  const row = await selected(db).where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

export async function findRedirectFrom(db: Db, from: string): Promise<RedirectRow | undefined> {
  const row = await selected(db).where('from_path', '=', from).executeTakeFirst()
  return row && toRow(row)
}

export async function insertRedirect(
  tx: Transaction,
  made: { from: string; to: string; automatic: boolean; at: Date; by: By },
): Promise<number> {
  const { id } = await tx
    .insertInto('redirect')
    .values({
      from_path: made.from,
      to_path: made.to,
      automatic: made.automatic ? 1 : 0,
      created_at: made.at.toISOString(),
      by_id: made.by.id,
      by_name: made.by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRedirect(tx: Transaction, id: number, now: { from: string; to: string }): Promise<void> {
  await tx
    .updateTable('redirect')
    .set((eb) => ({ from_path: now.from, to_path: now.to, automatic: 0, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deleteRedirect(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('redirect').where('id', '=', id).execute()
}

export async function deleteRedirectFrom(tx: Transaction, from: string): Promise<void> {
  await tx.deleteFrom('redirect').where('from_path', '=', from).execute()
}

/** Leads to the path, also to a place on its page or with a question behind it. */
const leadsTo = (path: string): RawBuilder<SqlBool> =>
  // Each range ends at the sign that comes after # or ?.
  sql`(to_path = ${path} or (to_path >= ${`${path}#`} and to_path < ${`${path}$`})
    or (to_path >= ${`${path}?`} and to_path < ${`${path}@`}))`

/** What led to one path leads to another address from now on, with what it had behind it where that has nothing there. */
export async function foldRedirects(tx: Transaction, { from, to }: { from: string; to: string }): Promise<void> {
  // Written out, for PostgreSQL cannot tell the type of a bound one here.
  const behind = sql.lit([...from].length + 1)
  await tx
    .updateTable('redirect')
    .set((eb) => ({
      to_path: splitTarget(to).rest !== '' ? to : sql<string>`cast(${to} as text) || substr(to_path, ${behind})`,
      version: eb('version', '+', 1),
    }))
    .where(leadsTo(from))
    .execute()
}

/** What came by itself and leads to one of these paths. */
export async function deleteAutomaticTo(tx: Transaction, paths: readonly string[]): Promise<void> {
  for (const path of paths) await tx.deleteFrom('redirect').where('automatic', '=', 1).where(leadsTo(path)).execute()
}

/** Redirects are counted no further. */
const counted = 10_000

export async function listRedirects(
  db: Database,
  dialect: Pick<Dialect, 'narrow' | 'containsByIndex'>,
  which: { parts: string[]; sort: (typeof redirectSorts)[number]; descending: boolean },
  page: { offset: number; limit: number },
) {
  const narrowed =
    which.parts.length > 0 ? dialect.narrow({ table: 'redirect', column: 'search_text' }, which.parts) : undefined
  const source = narrowed ? sql`${narrowed} as narrowed join redirect on redirect.id = narrowed.id` : sql`redirect`
  const condition: RawBuilder<SqlBool> =
    which.parts.length > 0 ? containsAll(dialect.containsByIndex, 'search_text', which.parts) : sql<SqlBool>`1 = 1`
  const direction = which.descending ? sql`desc` : sql`asc`
  const order = which.sort === 'from' ? sql`from_path ${direction}` : sql`created_at ${direction}`
  // A limit that is written out is known when the query is planned.
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${source} where ${condition} limit ${sql.lit(counted + 1)}) as counted`.execute(
    db,
  )
  const { rows } = await sql<Selected>`
    select redirect.id, from_path, to_path, automatic, version, created_at, by_id, by_name
    from ${source} where ${condition} order by ${order}, redirect.id ${direction}
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { rows: rows.map(toRow), total: Math.min(total, counted), more: total > counted }
}
