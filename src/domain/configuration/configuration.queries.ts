import type { Database, Transaction } from '../../platform/db/database.ts'

export interface ConfigRevision {
  id: number
  config: string
  note: string
  createdAt: string
}

/** The newest revision is the one in force. */
export async function findLatestRevision(db: Database | Transaction): Promise<ConfigRevision | undefined> {
  return db
    .selectFrom('config_revision')
    .select(['id', 'config', 'note', 'created_at as createdAt'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertRevision(tx: Transaction, revision: Omit<ConfigRevision, 'id'>): Promise<number> {
  const { id } = await tx
    .insertInto('config_revision')
    .values({ config: revision.config, note: revision.note, created_at: revision.createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
