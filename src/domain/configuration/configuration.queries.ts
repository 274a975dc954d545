import type { ConfigRevision } from '../../contract/configuration.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { countResults, hasResults } from '../../platform/db/query-results.ts'

/** A revision with its configuration as JSON text. */
export interface StoredConfigRevision extends ConfigRevision {
  config: string
}

/** The newest revision is the current one. */
export async function findLatestConfigRevision(db: Db): Promise<StoredConfigRevision | undefined> {
  const row = await withConfig(db).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** Reads no column of later migrations. */
export const hasConfigRevision = (db: Db): Promise<boolean> => hasResults(db.selectFrom('config_revision'))

/** The configuration that the site began with, once it was changed. */
export async function findFirstConfigRevision(db: Db): Promise<StoredConfigRevision | undefined> {
  const row = await withConfig(db).orderBy('id').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

export async function findConfigRevision(db: Db, id: number): Promise<StoredConfigRevision | undefined> {
  const row = await withConfig(db).where('id', '=', id).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** The revision just before this one. */
export async function findPreviousConfigRevision(db: Db, id: number): Promise<StoredConfigRevision | undefined> {
  const row = await withConfig(db).where('id', '<', id).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && { ...toRevision(row), config: row.config }
}

/** The highest total that is counted. */
const counted = 10_000

/** One page of revisions, newest first, without the configurations. */
export async function listConfigRevisions(db: Db, page: { offset: number; limit: number }) {
  const rows = await about(db).orderBy('id', 'desc').offset(page.offset).limit(page.limit).execute()
  const some = db
    .selectFrom('config_revision')
    .select('id')
    .limit(counted + 1)
  const total = await countResults(db.selectFrom(some.as('some')))
  return { revisions: rows.map(toRevision), total: Math.min(total, counted), more: total > counted }
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

const about = (db: Db) =>
  db
    .selectFrom('config_revision')
    .select(['id', 'note', 'created_at as createdAt', 'kind', 'restored_id as restoredId', 'parts'])
    .select(['author_id', 'author_name'])
const withConfig = (db: Db) => about(db).select('config')

type Row = Awaited<ReturnType<ReturnType<typeof about>['execute']>>[number]

const toRevision = ({ author_id, author_name, ...row }: Row): ConfigRevision => ({
  ...row,
  author: { id: author_id, name: author_name },
  parts: JSON.parse(row.parts),
})

export async function renameConfigAuthor(tx: Transaction, userId: number, name: string): Promise<void> {
  await tx.updateTable('config_revision').set({ author_name: name }).where('author_id', '=', userId).execute()
}

/** Configurations of before the changes of one part since an instant, newest first, each read when it is asked for. */
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
