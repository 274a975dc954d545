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
  /** Null: the address is gone for good. */
  to: string | null
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
  const first = addresses.find((address) => rows.some((row) => row.from === address))
  const row = rows.find((one) => one.from === first)
  return row && toRow(row)
}

const selectByFromPath = compiledQuery((db, { addresses }: { addresses: readonly string[] }) =>
  selectRedirects(db).where('from_path', 'in', addresses),
)

export async function insertRedirect(
  tx: Transaction,
  made: { from: string; to: string | null; automatic: boolean; at: Date; by: Author },
): Promise<number> {
  const { id } = await tx
    .insertInto('redirect')
    .values({
      from_path: made.from,
      to_path: made.to ?? '',
      automatic: made.automatic ? 1 : 0,
      created_at: made.at.toISOString(),
      by_id: made.by.id,
      by_name: made.by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An automatic redirect becomes one that was made by hand. */
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

/** The indexed prefix of a target: `redirectFromChars` and two characters more. */
const indexedTarget = sql.raw('substr(to_path, 1, 502)')

/** Targets with this path, with or without a query or fragment. */
export const hasTargetPath = (path: string): RawBuilder<SqlBool> =>
  // Each range ends at the character after # or ?.
  sql`(${indexedTarget} = ${path} or (${indexedTarget} >= ${`${path}#`} and ${indexedTarget} < ${`${path}$`})
    or (${indexedTarget} >= ${`${path}?`} and ${indexedTarget} < ${`${path}@`}))`

/** Whether a live page is at a path (without its first slash). */
export const isPageAt = (db: Db, locale: Locale, slug: string): Promise<boolean> =>
  hasResults(db.selectFrom('page_text').where('locale', '=', locale).where('live_slug', '=', slug))

/**
 * Retargets all redirects to one path at another; their query or fragment is appended unless the new target has its
 * own.
 */
export async function retargetRedirects(
  tx: Transaction,
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  // Inlined, because PostgreSQL cannot infer the type of a parameter here.
  const restStart = sql.lit([...from].length + 1)
  await tx
    .updateTable('redirect')
    .set((eb) => ({
      to_path:
        to === null
          ? ''
          : splitTarget(to).rest !== ''
            ? to
            : sql<string>`cast(${to} as text) || substr(to_path, ${restStart})`,
      version: eb('version', '+', 1),
    }))
    .where(hasTargetPath(from))
    .execute()
}

/** Deletes the automatic redirects to one of these paths. */
export async function deleteRedirectsTo(tx: Transaction, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await tx.deleteFrom('redirect').where('automatic', '=', 1).where(hasTargetPath(path)).execute()
}

/** The highest total that is counted. */
const maxCounted = 10_000

export async function listRedirectRows(
  db: Database,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  which: { terms: string[]; sort: (typeof redirectSorts)[number]; descending: boolean },
  page: { offset: number; limit: number },
) {
  const narrowed =
    which.terms.length > 0
      ? dialect.searchIndexIds({ table: 'redirect', column: 'search_text' }, which.terms)
      : undefined
  const source = narrowed ? sql`${narrowed} as narrowed join redirect on redirect.id = narrowed.id` : sql`redirect`
  const condition: RawBuilder<SqlBool> =
    which.terms.length > 0 ? containsAllTerms(dialect.containsByIndex, 'search_text', which.terms) : sql<SqlBool>`1 = 1`
  const direction = which.descending ? sql`desc` : sql`asc`
  const order = which.sort === 'from' ? sql`from_path ${direction}` : sql`created_at ${direction}`
  // The inlined limit is visible to the query planner.
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${source} where ${condition} limit ${sql.lit(maxCounted + 1)}) as counted`.execute(
    db,
  )
  const { rows } = await sql<SelectedRow>`
    select redirect.id, from_path as "from", to_path as "to", automatic, version, created_at as "createdAt", by_id, by_name
    from ${source} where ${condition} order by ${order}, redirect.id ${direction}
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { rows: rows.map(toRow), total: Math.min(total, maxCounted), more: total > maxCounted }
}
