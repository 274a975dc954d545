import type { Insertable, Selectable } from 'kysely'
import { ownPrefix } from '../../platform/archive/backup-target.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { BackupRunTable, BackupSettingTable } from '../../platform/db/tables/backups.ts'

/** The stored reason of a backup or proof that was stopped, or whose process died. */
export const interrupted = 'interrupted'

export type RunRow = Omit<Selectable<BackupRunTable>, 'reading_until'>

const columns = [
  'id',
  'made_by',
  'state',
  'day',
  'attempt',
  'target',
  'name',
  'asked_at',
  'started_at',
  'finished_at',
  'lease_until',
  'bytes',
  'row_count',
  'file_count',
  'hash',
  'error',
  'retention_error',
  'actor_id',
  'actor_name',
] as const

const selectRuns = (db: Db) => db.selectFrom('backup_run').select(columns)

export const findSettingRow = (db: Db): Promise<Pick<BackupSettingTable, 'value' | 'version' | 'since'> | undefined> =>
  db.selectFrom('backup_setting').select(['value', 'version', 'since']).where('id', '=', 1).executeTakeFirst()

export async function saveSettingRow(tx: Transaction, row: Omit<BackupSettingTable, 'id'>): Promise<void> {
  await tx
    .insertInto('backup_setting')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** The newest first. */
export const listRuns = (db: Db, limit: number): Promise<RunRow[]> =>
  selectRuns(db).orderBy('asked_at', 'desc').orderBy('id', 'desc').limit(limit).execute()

export const findRun = (db: Db, id: number): Promise<RunRow | undefined> =>
  selectRuns(db).where('id', '=', id).executeTakeFirst()

/** The runs in the state `running`; their process may have died. */
export const listRunningRuns = (db: Db): Promise<RunRow[]> =>
  selectRuns(db).where('state', '=', 'running').orderBy('id').execute()

/** The oldest queued run. */
export const findWaitingRun = (tx: Transaction): Promise<RunRow | undefined> =>
  selectRuns(tx).where('state', '=', 'waiting').orderBy('id').limit(1).executeTakeFirst()

/** The scheduled runs of a day, by their number of attempt. */
export const listRunsOfDay = (tx: Transaction, day: string): Promise<RunRow[]> =>
  selectRuns(tx).where('day', '=', day).orderBy('attempt').execute()

/** Completed backups at one target, newest first, without those made by the command line. */
export const listDoneRunsAt = (db: Db, target: string): Promise<RunRow[]> =>
  selectRuns(db)
    .where('state', '=', 'done')
    .where('target', '=', target)
    .where('made_by', '!=', 'command')
    .orderBy('finished_at', 'desc')
    .execute()

/** Why older backups were not removed after the newest one at a target that started since then; empty without a reason. */
export async function findRetentionError(db: Database, at: { target: string; since: string }): Promise<string> {
  const row = await db
    .selectFrom('backup_run')
    .select('retention_error')
    .where('state', '=', 'done')
    .where('target', '=', at.target)
    .where('made_by', '!=', 'command')
    .where('started_at', '>=', at.since)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.retention_error ?? ''
}

/** The archive names of failed backups at one target, without those made by the command line. */
export async function listFailedArchiveNames(db: Database, target: string): Promise<string[]> {
  const rows = await db
    .selectFrom('backup_run')
    .select('name')
    .where('state', '=', 'failed')
    .where('target', '=', target)
    .where('made_by', '!=', 'command')
    .execute()
  return rows.map(({ name }) => name)
}

/** The newest backup that was completed or failed, without those made by the command line. */
export const findNewestEndedRun = (db: Db): Promise<Pick<RunRow, 'state' | 'error'> | undefined> =>
  db
    .selectFrom('backup_run')
    .select(['state', 'error'])
    .where('state', 'in', ['done', 'failed'])
    .where('made_by', '!=', 'command')
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Completed backups at any target, also those made by the command line, newest first. */
export const listDoneRuns = (db: Db): Promise<RunRow[]> =>
  selectRuns(db).where('state', '=', 'done').orderBy('finished_at', 'desc').execute()

export async function insertRun(
  tx: Transaction,
  row: Pick<Insertable<BackupRunTable>, 'made_by' | 'state' | 'target' | 'name' | 'asked_at'> &
    Partial<Insertable<BackupRunTable>>,
): Promise<RunRow> {
  return tx
    .insertInto('backup_run')
    .values({
      day: null,
      attempt: 0,
      started_at: null,
      finished_at: null,
      lease_until: null,
      bytes: 0,
      row_count: 0,
      file_count: 0,
      hash: '',
      error: '',
      actor_id: null,
      actor_name: '',
      ...row,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateRun(db: Db, id: number, change: Partial<Omit<RunRow, 'id'>>): Promise<void> {
  await db.updateTable('backup_run').set(change).where('id', '=', id).execute()
}

/** Ends a running run. @returns false when it is not running any more: its lease expired, so it was marked as failed */
export async function endRun(
  db: Db,
  id: number,
  change: Partial<Omit<RunRow, 'id'>> & { state: 'done' | 'failed' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backup_run')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The leases of all processes that read a backup, also expired ones of processes that died. */
export const listReadingLeases = (tx: Transaction): Promise<{ lease_until: string | null }[]> =>
  tx.selectFrom('backup_run').select('reading_until as lease_until').where('reading_until', 'is not', null).execute()

/** The ids of the runs whose archives are being read by a process. @param now by the clock of the database */
export async function listRunIdsBeingRead(db: Database, now: Date): Promise<Set<number>> {
  const rows = await db.selectFrom('backup_run').select('id').where('reading_until', '>=', now.toISOString()).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function startReadingLease(tx: Transaction, id: number, until: string): Promise<void> {
  await tx.updateTable('backup_run').set({ reading_until: until }).where('id', '=', id).execute()
}

/** Renews a reading lease, or ends it (null), unless another reader replaced it. @param ownLeaseEnds all its ends so far */
export async function updateReadingLease(
  db: Database,
  id: number,
  ownLeaseEnds: readonly string[],
  until: string | null,
): Promise<void> {
  await db
    .updateTable('backup_run')
    .set({ reading_until: until })
    .where('id', '=', id)
    .where('reading_until', 'in', ownLeaseEnds)
    .execute()
}

export async function deleteRun(db: Database, id: number): Promise<void> {
  await db.deleteFrom('backup_run').where('id', '=', id).execute()
}

/** The beginning of the archive names of backups before updates. */
export const updatePrefix = `${ownPrefix}update-`

/** Completed backups before updates in a folder, newest first. */
export const listUpdateRuns = (db: Database, target: string): Promise<RunRow[]> =>
  selectRuns(db)
    .where('state', '=', 'done')
    .where('target', '=', target)
    .where('name', 'like', `${updatePrefix}%`)
    .orderBy('finished_at', 'desc')
    .execute()

/**
 * Deletes old rows of failed backups, and of command-line backups, whose archives the operator removes.
 * @param old.updatesBefore the same limit for backups before updates, whose archives are removed by means of their rows
 */
export async function deleteOldRuns(db: Database, old: { before: Date; updatesBefore: Date }): Promise<void> {
  await db
    .deleteFrom('backup_run')
    .where('asked_at', '<', old.before.toISOString())
    .where((eb) =>
      eb.or([
        eb('state', '=', 'failed'),
        eb.and([
          eb('made_by', '=', 'command'),
          eb.or([eb('name', 'not like', `${updatePrefix}%`), eb('asked_at', '<', old.updatesBefore.toISOString())]),
        ]),
      ]),
    )
    .execute()
}

/**
 * After a restore, ends the runs and proofs that were open when the backup was made: the run of the restored archive is
 * done, all others are interrupted. These lose their archive names, because the archives of failed runs are removed,
 * and theirs may be complete.
 */
export async function finishRestoredRuns(
  tx: Transaction,
  archive: { name: string; bytes: number; rows: number; files: number },
  now: Date,
) {
  const ended = { finished_at: now.toISOString(), lease_until: null }
  await tx
    .updateTable('backup_run')
    .set({ ...ended, state: 'done', bytes: archive.bytes, row_count: archive.rows, file_count: archive.files })
    .where('state', '=', 'running')
    .where('name', '=', archive.name)
    .execute()
  await tx
    .updateTable('backup_run')
    .set({ ...ended, state: 'failed', error: interrupted, name: '' })
    .where('state', 'in', ['waiting', 'running'])
    .execute()
  await tx
    .updateTable('backup_proof')
    .set({ ...ended, state: 'unknown', reason: interrupted })
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}
