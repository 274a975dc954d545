import type { Insertable, Selectable } from 'kysely'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import { countResults, hasResults } from '../../platform/db/query-results.ts'
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

const selectProofs = (db: Db) => db.selectFrom('backup_proof').select(columns)

/** The newest first. A proof is a test restore of a backup. */
export const listProofs = (db: Db, limit: number): Promise<ProofRow[]> =>
  selectProofs(db).orderBy('id', 'desc').limit(limit).execute()

/** The newest proof in one of these states. */
export const findNewestProof = (db: Database, states: ProofRow['state'][]): Promise<ProofRow | undefined> =>
  selectProofs(db).where('state', 'in', states).orderBy('id', 'desc').limit(1).executeTakeFirst()

export const findProof = (db: Db, id: number): Promise<ProofRow | undefined> =>
  selectProofs(db).where('id', '=', id).executeTakeFirst()

/** The proofs in the states `waiting` and `running`. */
export const listOpenProofs = (db: Db): Promise<ProofRow[]> =>
  selectProofs(db).where('state', 'in', ['waiting', 'running']).orderBy('id').execute()

/** The proofs that were requested from `from` (inclusive) until `until` (exclusive) and have ended, the oldest first. */
export const listEndedProofs = (
  tx: Transaction,
  { from, until }: { from: Date; until: Date },
): Promise<Pick<ProofRow, 'asked_at' | 'state'>[]> =>
  tx
    .selectFrom('backup_proof')
    .select(['asked_at', 'state'])
    .where('finished_at', 'is not', null)
    .where('asked_at', '>=', from.toISOString())
    .where('asked_at', '<', until.toISOString())
    .orderBy('id')
    .execute()

/** Whether there is a proof of this day, in any state. */
export const isProofOfDay = (tx: Transaction, day: string): Promise<boolean> =>
  hasResults(tx.selectFrom('backup_proof').where('day', '=', day))

/** The number of scheduled proofs since a time that were interrupted and repeated: these have no day. */
export const countRepeatedProofs = (tx: Transaction, since: Date): Promise<number> =>
  countResults(
    tx
      .selectFrom('backup_proof')
      .where('made_by', '=', 'clock')
      .where('day', 'is', null)
      .where('asked_at', '>', since.toISOString()),
  )

/** The findings of failed proofs at a target since a time, as JSON. */
export async function listFindingsSince(db: Database, target: string, since: string): Promise<string[]> {
  const rows = await db
    .selectFrom('backup_proof')
    .select('findings')
    .where('target', '=', target)
    .where('state', '=', 'failed')
    .where('finished_at', '>=', since)
    .execute()
  return rows.map(({ findings }) => findings)
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

export async function updateProof(db: Db, id: number, change: Partial<Omit<ProofRow, 'id'>>): Promise<void> {
  await db.updateTable('backup_proof').set(change).where('id', '=', id).execute()
}

/** Changes a proof that has not ended. @param change must end it @returns false when it has ended already */
export async function endProof(tx: Transaction, id: number, change: Partial<Omit<ProofRow, 'id'>>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backup_proof')
    .set(change)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a proof that has not started. @returns false when it has */
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

/** The number of messages and audited staff actions after a time, which a backup of that time lacks. */
export async function countChangesSince(db: Database, at: Date): Promise<{ messages: number; changes: number }> {
  const since = at.toISOString()
  return {
    messages: await countResults(db.selectFrom('message').where('created_at', '>', since)),
    changes: await countResults(db.selectFrom('audit').where('at', '>', since).where('actor_id', 'is not', null)),
  }
}

/** The expected size of each committed blob, by its id. */
export async function listBlobBytes(db: Database): Promise<Map<string, number>> {
  const rows = await db.selectFrom('stored_blob').select(['id', 'bytes']).where('state', '=', 'committed').execute()
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** The first user who is not blocked. */
export const findFirstActiveUser = (db: Database): Promise<{ id: number; email: string } | undefined> =>
  db.selectFrom('user').select(['id', 'email']).where('blocked', '=', 0).orderBy('id').limit(1).executeTakeFirst()
