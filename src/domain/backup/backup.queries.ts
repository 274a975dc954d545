import { type SelectQueryBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { TableColumns, Value } from '../../platform/db/dialect/database-copy.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import { withoutSecret } from '../../platform/mail/outbox.ts'
import { releaseBlobs } from '../files/blob.queries.ts'

/** Ids of the committed blobs, which are those of files. A blob is the stored content of a file. */
export async function listCommittedBlobs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stored_blob').select('id').where('state', '=', 'committed').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Ids of all blobs, whatever their state. */
export async function listBlobs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stored_blob').select('id').execute()
  return rows.map(({ id }) => id)
}

export async function isCommitted(db: Database, blobId: string): Promise<boolean> {
  const row = await db.selectFrom('stored_blob').select('state').where('id', '=', blobId).executeTakeFirst()
  return row?.state === 'committed'
}

/** Deletes the rows of files with these blobs; images whose resized versions are in one are queued for resizing. */
export async function removeFilesOfBlobs(tx: Transaction, blobIds: readonly string[], now: Date): Promise<void> {
  for (const id of blobIds) {
    const deleted = await tx.deleteFrom('file').where('blob_id', '=', id).returning('resized_blob_id').execute()
    await tx.deleteFrom('message_file').where('blob_id', '=', id).execute()
    await tx
      .updateTable('file')
      .set({ resized_images: null, resized_blob_id: null, state: 'waiting', attempts: 0, due_at: now.toISOString() })
      .where('resized_blob_id', '=', id)
      .execute()
    await releaseBlobs(tx, [id, ...deleted.map(({ resized_blob_id }) => resized_blob_id)], now)
  }
}

/** Adds stored blobs that have no row as released, so that the garbage collector deletes them. */
export async function addReleasedBlobs(tx: Transaction, blobIds: readonly string[], now: Date): Promise<void> {
  for (const id of blobIds) {
    await tx
      .insertInto('stored_blob')
      .values({ id, state: 'released', at: now.toISOString(), bytes: 0 })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

export async function listBlockedUsers(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('user').select('id').where('blocked', '=', 1).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Blocks these users. @returns the email addresses of those that were not blocked before */
export async function blockUserRows(tx: Transaction, ids: readonly number[]): Promise<string[]> {
  const blocked: string[] = []
  for (const id of ids) {
    const row = await tx
      .updateTable('user')
      .set({ blocked: 1 })
      .where('id', '=', id)
      .where('blocked', '=', 0)
      .returning('email')
      .executeTakeFirst()
    if (row) blocked.push(row.email)
  }
  return blocked
}

/** Marks queued emails as failed with a reason, and removes their secrets. @returns how many */
export async function failWaitingEmails(tx: Transaction, reason: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ state: 'failed', last_error: reason, next_attempt_at: now.toISOString(), ...withoutSecret })
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes all single-use links, because they may have been used after the backup. */
export async function deleteSingleUseLinks(tx: Transaction): Promise<void> {
  await tx.deleteFrom('user_link').execute()
}

/** Yields the stored texts that may contain a person's email address, reading in batches. */
export async function* readTextsWithAddresses(tx: Transaction): AsyncGenerator<string> {
  const readers: ((afterId: number) => Promise<{ id: number; texts: (string | null)[] }[]>)[] = [
    async (afterId) => {
      const rows = await nextBatch(tx.selectFrom('user').select(['id', 'email']), afterId).execute()
      return rows.map(({ id, email }) => ({ id, texts: [email] }))
    },
    async (afterId) => {
      const rows = await nextBatch(tx.selectFrom('message').select(['id', 'email']), afterId).execute()
      return rows.map(({ id, email }) => ({ id, texts: [email] }))
    },
    async (afterId) => {
      const rows = await nextBatch(tx.selectFrom('outbox').select(['id', 'recipient', 'data']), afterId).execute()
      return rows.map(({ id, recipient, data }) => ({ id, texts: [recipient, data] }))
    },
    async (afterId) => {
      const rows = await nextBatch(
        tx.selectFrom('audit').select(['id', 'subject_name', 'before', 'after']),
        afterId,
      ).execute()
      return rows.map(({ id, subject_name, before, after }) => ({ id, texts: [subject_name, before, after] }))
    },
  ]
  for (const read of readers) {
    for (let afterId = 0; ; ) {
      const rows = await read(afterId)
      for (const { texts } of rows) for (const text of texts) if (text !== null) yield text
      if (rows.length < batchSize) break
      afterId = rows.at(-1)?.id ?? afterId
    }
  }
}

const batchSize = 500

function nextBatch<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  afterId: number,
) {
  return query.where(sql.ref('id'), '>', afterId).orderBy(sql.ref('id')).limit(batchSize)
}

/** Whether there is a site in the database: a new one has no users. */
export const hasUsers = (db: Database): Promise<boolean> => hasResults(db.selectFrom('user'))

/** Whether a restore that started at this time was committed. */
export const isRestored = (db: Database, at: Date): Promise<boolean> =>
  hasResults(db.selectFrom('audit').where('action', '=', 'backup.restored').where('at', '=', at.toISOString()))

export async function countRows(tx: Transaction, table: string): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.id(table)}`.execute(tx)
  return Number(rows[0]?.count)
}

export async function deleteAllRows(tx: Transaction, table: string): Promise<void> {
  await sql`delete from ${sql.id(table)}`.execute(tx)
}

/** Inserts rows with their ids. @param rows the values in the order of `table.columns` */
export async function insertRows(
  tx: Transaction,
  { dialect }: Pick<Context, 'dialect'>,
  table: TableColumns,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return
  const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`))
  await sql`insert into ${sql.id(table.name)} (${sql.join(table.columns.map((column) => sql.id(column)))})
    ${dialect.copy.beforeValues} values ${values}`.execute(tx)
}
