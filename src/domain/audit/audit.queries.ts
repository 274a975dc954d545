import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import type { AuditTable } from '../../platform/db/tables/audit.ts'
import { containsAllTerms } from '../../platform/db/text-search.ts'

export async function insertAudit(tx: Transaction, row: Insertable<AuditTable>): Promise<void> {
  await tx.insertInto('audit').values(row).execute()
}

/**
 * Deletes the oldest entries before an instant, at most `limit` of them.
 * @returns how many
 */
export async function deleteOldestAudit(
  tx: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('audit')
    .where('id', 'in', (eb) =>
      eb.selectFrom('audit').select('id').where('at', '<', before.toISOString()).orderBy('at').limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type SearchDialect = Pick<Dialect, 'searchIndexIds' | 'containsByIndex' | 'redactEmails'>

interface AuditFilter {
  /** From `searchTerms`. */
  terms: string[]
  /** Subject types. In entries about these, the terms are not looked for in email addresses. */
  typesWithHiddenEmails?: string[]
  actorId?: number | undefined
  actions?: string[] | undefined
  subjectType?: string | undefined
  subjectId?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

/** The highest total that is counted. */
const maxTotal = 10_000
/**
 * A search with at most this many matches reads them all from the text index; above it the log is scanned from its
 * newest entry.
 */
const maxIndexMatches = 1_000

/** One page of entries by id, and the total up to `maxTotal`; `more` is true above that. */
export async function listAudit(
  db: Database,
  dialect: SearchDialect,
  filter: AuditFilter,
  page: { offset: number; limit: number; descending: boolean },
) {
  const source = await sourceOf(db, dialect, filter)
  const condition = conditionOf(dialect, filter)
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${source} where ${condition} limit ${sql.lit(maxTotal + 1)}) as counted`.execute(
    db,
  )
  const order = page.descending ? sql`desc` : sql`asc`
  const { rows } = await sql<Row>`
    select audit.id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, "before", "after"
    from ${source} where ${condition} order by audit.id ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { rows, total: Math.min(total, maxTotal), more: total > maxTotal }
}

type Row = Omit<AuditTable, 'id' | 'search_text'> & { id: number }

/** The matches of the text index when a search finds few; otherwise the log itself, where a scan soon fills a page. */
async function sourceOf(db: Database, dialect: SearchDialect, filter: AuditFilter): Promise<RawBuilder<unknown>> {
  const matches =
    filter.terms.length > 0
      ? dialect.searchIndexIds({ table: 'audit', column: 'search_text' }, filter.terms)
      : undefined
  if (!matches) return sql`audit`
  const { rows } = await sql`select 1 from ${matches} as matches limit ${sql.lit(maxIndexMatches + 1)}`.execute(db)
  return rows.length > maxIndexMatches ? sql`audit` : sql`${matches} as matches join audit on audit.id = matches.id`
}

function conditionOf(dialect: SearchDialect, filter: AuditFilter): RawBuilder<SqlBool> {
  const { actions, terms, typesWithHiddenEmails: types } = filter
  const redacted = dialect.redactEmails('search_text')
  const conditions = [
    terms.length > 0 && containsAllTerms(dialect.containsByIndex, 'search_text', terms),
    // Whether the text contains the term: `replace` compares in the same way in both databases.
    ...(types
      ? terms.map(
          (term) =>
            sql<SqlBool>`(subject_type not in (${sql.join(types)}) or replace(${redacted}, ${term}, '') <> ${redacted})`,
        )
      : []),
    filter.actorId !== undefined && sql<SqlBool>`actor_id = ${filter.actorId}`,
    actions !== undefined && actions.length > 0 && sql<SqlBool>`action in (${sql.join(actions)})`,
    filter.subjectType !== undefined && sql<SqlBool>`subject_type = ${filter.subjectType}`,
    filter.subjectId !== undefined && sql<SqlBool>`subject_id = ${filter.subjectId}`,
    filter.from !== undefined && sql<SqlBool>`at >= ${filter.from}`,
    filter.until !== undefined && sql<SqlBool>`at < ${filter.until}`,
  ].filter((condition) => condition !== false)
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql<SqlBool>`1 = 1`
}

/** Whether the log has such an entry about a subject after an instant. @param entry.after an ISO instant */
export const hasEntryAfter = (
  db: Db,
  entry: { action: AuditAction; subjectType: string; subjectId: string; after: string },
): Promise<boolean> =>
  hasResults(
    db
      .selectFrom('audit')
      .where('subject_type', '=', entry.subjectType)
      .where('subject_id', '=', entry.subjectId)
      .where('action', '=', entry.action)
      .where('at', '>', entry.after),
  )

/**
 * Time of the `nth` newest of these entries between two instants; undefined when there are fewer.
 * @param filter.until later entries were made while the clock was ahead
 */
export async function findNthNewestAt(
  db: Db,
  filter: { action: string; actorId?: number; subjectId?: string; nth: number; since: Date; until: Date },
): Promise<Date | undefined> {
  const { actorId, subjectId } = filter
  const row = await db
    .selectFrom('audit')
    .select('at')
    .where('action', '=', filter.action)
    .where('at', '>', filter.since.toISOString())
    .where('at', '<=', filter.until.toISOString())
    .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId as number))
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', subjectId as string))
    .orderBy('id', 'desc')
    .offset(filter.nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.at)
}
