import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Locale } from '../../contract/locales.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { TableColumns, Value } from '../../platform/db/dialect/database-copy.ts'
import { hasResults } from '../../platform/db/query-results.ts'

/** A stored row by its columns. */
export type StoredRow = Record<string, Value>

type StoredTable = 'message' | 'message_reply' | 'message_file' | 'file'

/** Rows with all stored columns, as a backup has them. */
export async function listStoredRows(
  db: Database,
  { name, columns }: TableColumns & { name: StoredTable },
  by: { column: 'id' | 'message_id'; value: number },
): Promise<StoredRow[]> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const { rows } = await sql<StoredRow>`select ${names} from ${sql.id(name)}
    where ${sql.id(by.column)} = ${by.value} order by id`.execute(db)
  return rows
}

/** @param db the site's database */
export const isMessageInSite = (db: Db, message: { id: number; reference: number | null }): Promise<boolean> =>
  hasResults(
    db
      .selectFrom('message')
      .where((eb) =>
        eb.or([
          eb('id', '=', message.id),
          ...(message.reference === null ? [] : [eb('reference', '=', message.reference)]),
        ]),
      ),
  )

/** Whether the audit log of the site has `#id` in place of this user's name. */
export const isAnonymised = (db: Db, userId: number): Promise<boolean> =>
  hasResults(db.selectFrom('audit').where('actor_id', '=', userId).where('actor_name', '=', `#${userId}`))

export interface ListedBackupMessage {
  id: number
  reference: number | null
  name: string
  email: string
  createdAt: string
}

/**
 * Yields all messages by id, in batches. It lets other requests run between them, because a site may have a million
 * messages.
 */
export async function* readMessages(db: Database): AsyncGenerator<ListedBackupMessage[]> {
  for (let afterId = 0; ; ) {
    const rows = await db
      .selectFrom('message')
      .select(['id', 'reference', 'naam as name', 'email', 'created_at as createdAt'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    await nextTurn()
    afterId = rows.at(-1)?.id ?? afterId
  }
}

const batchSize = 500

interface ListedPageText {
  pageId: number
  locale: Locale
  title: string
  slug: string
  isPublished: number
}

/**
 * Yields the texts of all pages by page id, in batches as `readMessages`. The slug is the published one, or else the
 * saved one.
 */
export async function* readPageTexts(db: Database): AsyncGenerator<ListedPageText[]> {
  for (let afterId = 0; ; ) {
    const pages = await db
      .selectFrom('page')
      .select('id')
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const last = pages.at(-1)?.id
    if (last === undefined) return
    yield await db
      .selectFrom('page_text')
      .select(['page_id as pageId', 'locale', 'title'])
      .select((eb) => [
        eb.fn.coalesce('live_slug', 'slug').as('slug'),
        eb.case().when('live_id', 'is not', null).then(1).else(0).end().as('isPublished'),
      ])
      .where('page_id', '>', afterId)
      .where('page_id', '<=', last)
      .orderBy('page_id')
      .orderBy('locale')
      .execute()
    if (pages.length < batchSize) return
    await nextTurn()
    afterId = last
  }
}

/** The page whose published slug this is, or else whose saved slug. */
export async function findPageIdBySlug(db: Database, locale: Locale, slug: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('page_text')
    .select('page_id')
    .where('locale', '=', locale)
    .where((eb) => eb.or([eb('live_slug', '=', slug), eb('slug', '=', slug)]))
    .orderBy((eb) => eb.case().when('live_slug', '=', slug).then(0).else(1).end())
    .orderBy('page_id')
    .limit(1)
    .executeTakeFirst()
  return row?.page_id
}

/** Adds public ids to a file. Those in use already, by any file, are skipped. */
export async function addPublicIds(tx: Transaction, fileId: number, publicIds: readonly string[]): Promise<void> {
  for (const public_id of publicIds) {
    await tx
      .insertInto('file_public_id')
      .values({ public_id, file_id: fileId })
      .onConflict((conflict) => conflict.column('public_id').doNothing())
      .execute()
  }
}

/** @param publicId the file's current public id, not an earlier one */
export async function getFileIdByPublicId(tx: Transaction, publicId: string): Promise<number> {
  const row = await tx.selectFrom('file').select('id').where('public_id', '=', publicId).executeTakeFirstOrThrow()
  return row.id
}
