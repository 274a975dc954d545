import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Locale } from '../../contract/locales.ts'
import type { redirectSorts } from '../../contract/redirects.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import { containsAllTerms } from '../../platform/db/text-search.ts'
import type { Author } from '../audit/record.ts'
import { splitTarget } from './redirect-target.ts'

export interface RedirectRow {
  id: number
  from: string
  /** Null: the path answers 410 (gone). */
  to: string | null
  /** Whether a change of a page made it, rather than a user. */
  automatic: boolean
  version: number
  createdAt: string
  by: Author
}

const selectRedirects = (db: Db) =>
  db
    .selectFrom('redirect')
    .select(['id', 'from_path as from', 'to_path as to', 'automatic', 'version', 'created_at as createdAt'])
    .select(['by_id', 'by_name'])
type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRedirects>['execute']>>[number]
const toRow = ({ by_id, by_name, ...row }: SelectedRow): RedirectRow => ({
  ...row,
  to: row.to || null,
  automatic: row.automatic === 1,
  by: { id: by_id, name: by_name },
})

export async function findRedirect(db: Db, id: number): Promise<RedirectRow | undefined> {
  const row = await selectRedirects(db).where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

/** The redirect from the first of these addresses that has one. */
export async function findRedirectFrom(db: Db, ...addresses: string[]): Promise<RedirectRow | undefined> {
  const rows = await selectByFromPath(db, { addresses })
  const from = addresses.find((address) => rows.some((row) => row.from === address))
  const row = rows.find((candidate) => candidate.from === from)
  return row && toRow(row)
}

const selectByFromPath = compiledQuery((db, { addresses }: { addresses: readonly string[] }) =>
  selectRedirects(db).where('from_path', 'in', addresses),
)

/** @returns the id of the redirect */
export async function insertRedirect(
  tx: Transaction,
  redirect: { from: string; to: string | null; automatic: boolean; at: Date; by: Author },
): Promise<number> {
  const { id } = await tx
    .insertInto('redirect')
    .values({
      from_path: redirect.from,
      to_path: redirect.to ?? '',
      automatic: redirect.automatic ? 1 : 0,
      created_at: redirect.at.toISOString(),
      by_id: redirect.by.id,
      by_name: redirect.by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replaces both addresses; the redirect is no longer automatic. */
export async function updateRedirectRow(
  tx: Transaction,
  id: number,
  change: { from: string; to: string | null },
): Promise<void> {
  await tx
    .updateTable('redirect')
    .set((eb) => ({ from_path: change.from, to_path: change.to ?? '', automatic: 0, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deleteRedirectRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('redirect').where('id', '=', id).execute()
}

export async function deleteRedirectFrom(tx: Transaction, from: string): Promise<void> {
  await tx.deleteFrom('redirect').where('from_path', '=', from).execute()
}

/** The prefix of a target that the database indexes: `redirectFromChars`, the longest path, and two characters more. */
const indexedTarget = sql.raw('substr(to_path, 1, 502)')

/** A condition for redirects whose target has this path, with or without a query or fragment. */
export const hasTargetPath = (path: string): RawBuilder<SqlBool> =>
  // Each range ends at the character after # or ?.
  sql`(${indexedTarget} = ${path} or (${indexedTarget} >= ${`${path}#`} and ${indexedTarget} < ${`${path}$`})
    or (${indexedTarget} >= ${`${path}?`} and ${indexedTarget} < ${`${path}@`}))`

/** Whether a page is live at a slug. */
export const isPageAt = (db: Db, locale: Locale, slug: string): Promise<boolean> =>
  hasResults(db.selectFrom('page_text').where('locale', '=', locale).where('live_slug', '=', slug))

/**
 * Changes all redirects to the path `from` into redirects to `to`; they keep their query and fragment, unless `to` has one.
 * @param paths.to null: they answer 410 (gone)
 */
export async function retargetRedirects(
  tx: Transaction,
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  const keepsRest = to !== null && splitTarget(to).rest === ''
  // The number is inlined, because PostgreSQL cannot infer the type of a parameter here.
  const positionAfterPath = sql.lit([...from].length + 1)
  await tx
    .updateTable('redirect')
    .set((eb) => ({
      to_path: keepsRest ? sql<string>`cast(${to} as text) || substr(to_path, ${positionAfterPath})` : (to ?? ''),
      version: eb('version', '+', 1),
    }))
    .where(hasTargetPath(from))
    .execute()
}

/** Deletes the automatic redirects to any of these paths. */
export async function deleteRedirectsTo(tx: Transaction, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await tx.deleteFrom('redirect').where('automatic', '=', 1).where(hasTargetPath(path)).execute()
}

/** The highest total that is counted; a larger one is reported with `more`. */
const maxCounted = 10_000

/** A range of the redirects that contain all terms, and the total. */
export async function listRedirectRows(
  db: Database,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  query: { terms: string[]; sort: (typeof redirectSorts)[number]; descending: boolean },
  range: { offset: number; limit: number },
) {
  const { terms } = query
  const hasTerms = terms.length > 0
  const candidates = hasTerms ? dialect.searchIndexIds({ table: 'redirect', column: 'search_text' }, terms) : undefined
  const source = candidates ? sql`${candidates} as found join redirect on redirect.id = found.id` : sql`redirect`
  const condition: RawBuilder<SqlBool> = hasTerms
    ? containsAllTerms(dialect.containsByIndex, 'search_text', terms)
    : sql<SqlBool>`1 = 1`
  const direction = query.descending ? sql`desc` : sql`asc`
  const order = query.sort === 'from' ? sql`from_path ${direction}` : sql`created_at ${direction}`
  // The inlined limit is visible to the query planner.
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${source} where ${condition} limit ${sql.lit(maxCounted + 1)}) as counted`.execute(
    db,
  )
  const { rows } = await sql<SelectedRow>`
    select redirect.id, from_path as "from", to_path as "to", automatic, version, created_at as "createdAt", by_id, by_name
    from ${source} where ${condition} order by ${order}, redirect.id ${direction}
    limit ${range.limit} offset ${range.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { rows: rows.map(toRow), total: Math.min(total, maxCounted), more: total > maxCounted }
}
