import type { Insertable, Selectable } from 'kysely'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { BackupProofTable } from '../../platform/db/tables/backups.ts'

export type ProofRow = Selectable<BackupProofTable>

const columns = [
  'id',
  'made_by',
  'state',
  'day',
  'target',
  'name',
  'backup_at',
  'asked_at',
  'started_at',
  'finished_at',
  'lease_until',
  'findings',
  'reason',
] as const

/** The newest first. */
export const listProofs = (db: Database | Transaction, limit: number): Promise<ProofRow[]> =>
  db.selectFrom('backup_proof').select(columns).orderBy('id', 'desc').limit(limit).execute()

export const findProof = (db: Database | Transaction, id: number): Promise<ProofRow | undefined> =>
  db.selectFrom('backup_proof').select(columns).where('id', '=', id).executeTakeFirst()

/** Those that wait, and those that a process should be making. */
export const listOpenProofs = (tx: Transaction): Promise<ProofRow[]> =>
  tx.selectFrom('backup_proof').select(columns).where('state', 'in', ['waiting', 'running']).orderBy('id').execute()

export async function isProofOfDay(tx: Transaction, day: string): Promise<boolean> {
  return (await tx.selectFrom('backup_proof').select('id').where('day', '=', day).executeTakeFirst()) !== undefined
}

/** Proofs of the clock during which the program stopped. */
export async function countInterrupted(tx: Transaction, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('backup_proof')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('made_by', '=', 'clock')
    .where('reason', '=', 'interrupted')
    .where('asked_at', '>', since.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertProof(
  tx: Transaction,
  row: Pick<Insertable<BackupProofTable>, 'made_by' | 'state' | 'asked_at'> & Partial<Insertable<BackupProofTable>>,
): Promise<ProofRow> {
  return tx
    .insertInto('backup_proof')
    .values({
      day: null,
      target: '',
      name: '',
      backup_at: null,
      started_at: null,
      finished_at: null,
      lease_until: null,
      findings: '',
      reason: '',
      ...row,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateProof(
  db: Database | Transaction,
  id: number,
  change: Partial<Omit<ProofRow, 'id'>>,
): Promise<void> {
  await db.updateTable('backup_proof').set(change).where('id', '=', id).execute()
}

/** One that no process took up. @returns false when one did */
export async function deleteWaitingProof(db: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('backup_proof')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteOldProofs(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('backup_proof').where('asked_at', '<', before.toISOString()).execute()
}

/** What is not in a backup of this moment. */
export async function countSince(db: Database, at: Date): Promise<{ messages: number; changes: number }> {
  const since = at.toISOString()
  const messages = await db
    .selectFrom('message')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  const changes = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('at', '>', since)
    .where('actor_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return { messages: Number(messages.count), changes: Number(changes.count) }
}

/** The bytes that a database says its stored files have, by blob. */
export async function listBlobBytes(db: Database): Promise<Map<string, number>> {
  const rows = await db.selectFrom('stored_blob').select(['id', 'bytes']).where('state', '=', 'committed').execute()
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Somebody who may sign in. */
export const findSomebody = (db: Database): Promise<{ id: number; email: string } | undefined> =>
  db.selectFrom('user').select(['id', 'email']).where('blocked', '=', 0).orderBy('id').limit(1).executeTakeFirst()
