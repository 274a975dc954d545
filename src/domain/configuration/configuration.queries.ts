import type { ConfigRevision } from '../../contract/configuration.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { countResults, hasResults } from '../../platform/db/query-results.ts'

/** A revision with its configuration as JSON text. */
interface StoredConfigRevision extends ConfigRevision {
  config: string
}

/** The newest revision, whose configuration is the current one. */
export async function findLatestConfigRevision(db: Db): Promise<StoredConfigRevision | undefined> {
  const row = await selectWithConfig(db).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** Whether any revision is stored. It reads no columns, so it works while migrations are pending. */
export const hasConfigRevision = (db: Db): Promise<boolean> => hasResults(db.selectFrom('config_revision'))

/**
 * The oldest revision. It is stored at the first change, and mostly has the configuration file that applied until then.
 */
export async function findFirstConfigRevision(db: Db): Promise<StoredConfigRevision | undefined> {
  const row = await selectWithConfig(db).orderBy('id').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

export async function findConfigRevision(db: Db, id: number): Promise<StoredConfigRevision | undefined> {
  const row = await selectWithConfig(db).where('id', '=', id).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** The revision just before this one. */
export async function findPreviousConfigRevision(db: Db, id: number): Promise<StoredConfigRevision | undefined> {
  const row = await selectWithConfig(db).where('id', '<', id).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** The highest total that is counted. */
const maxTotal = 10_000

/** One page of revisions, newest first, without the configurations. `more`: there are more than `total`. */
export async function listConfigRevisions(db: Db, page: { offset: number; limit: number }) {
  const rows = await selectRevisions(db).orderBy('id', 'desc').offset(page.offset).limit(page.limit).execute()
  const limitedRows = db
    .selectFrom('config_revision')
    .select('id')
    .limit(maxTotal + 1)
  const count = await countResults(db.selectFrom(limitedRows.as('limited_rows')))
  return { revisions: rows.map(toRevision), total: Math.min(count, maxTotal), more: count > maxTotal }
}

export async function insertConfigRevision(
  tx: Transaction,
  revision: Omit<StoredConfigRevision, 'id'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('config_revision')
    .values({
      config: revision.config,
      note: revision.note,
      created_at: revision.createdAt,
      author_id: revision.author.id,
      author_name: revision.author.name,
      kind: revision.kind,
      restored_id: revision.restoredId,
      parts: JSON.stringify(revision.parts),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const selectRevisions = (db: Db) =>
  db
    .selectFrom('config_revision')
    .select(['id', 'note', 'created_at as createdAt', 'kind', 'restored_id as restoredId', 'parts'])
    .select(['author_id', 'author_name'])
const selectWithConfig = (db: Db) => selectRevisions(db).select('config')

type Row = Awaited<ReturnType<ReturnType<typeof selectRevisions>['execute']>>[number]

const toRevision = ({ author_id, author_name, ...row }: Row): ConfigRevision => ({
  ...row,
  author: { id: author_id, name: author_name },
  parts: JSON.parse(row.parts),
})

/** The longest retention period, in days, that messages of a form were stored with; undefined when there are none. */
export async function findLongestRetention(tx: Transaction, formId: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('message')
    .select('retention_days as days')
    .where('form_id', '=', formId)
    .where('retention_days', 'is not', null)
    .orderBy('retention_days', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.days ?? undefined
}

/** Replaces the stored name of a user, as the author of revisions. */
export async function renameConfigAuthor(tx: Transaction, userId: number, name: string): Promise<void> {
  await tx.updateTable('config_revision').set({ author_name: name }).where('author_id', '=', userId).execute()
}

/**
 * Yields, for each change of a part since an instant, the configuration before it as JSON text, newest first. Each is
 * read from the database when it is asked for.
 */
export async function* readConfigsBeforeChangesOf(db: Db, part: string, since: Date): AsyncGenerator<string> {
  const changes = await db
    .selectFrom('config_revision')
    .select('id')
    .where('created_at', '>', since.toISOString())
    .where('parts', 'like', `%"${part}"%`)
    .orderBy('id', 'desc')
    .execute()
  for (const { id } of changes) {
    const before = await findPreviousConfigRevision(db, id)
    if (before) yield before.config
  }
}
