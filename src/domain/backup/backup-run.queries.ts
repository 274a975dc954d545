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

/** The backup runs in the state `running`; their process may have died. */
export const listRunning = (db: Db): Promise<RunRow[]> =>
  selectRuns(db).where('state', '=', 'running').orderBy('id').execute()

export const findWaiting = (tx: Transaction): Promise<RunRow | undefined> =>
  selectRuns(tx).where('state', '=', 'waiting').orderBy('id').limit(1).executeTakeFirst()

export const listRunsOfDay = (tx: Transaction, day: string): Promise<RunRow[]> =>
  selectRuns(tx).where('day', '=', day).orderBy('attempt').execute()

/** Completed backups at one target, newest first, without those made by the command line. */
export const listDoneAt = (db: Db, target: string): Promise<RunRow[]> =>
  selectRuns(db)
    .where('state', '=', 'done')
    .where('target', '=', target)
    .where('made_by', '!=', 'command')
    .orderBy('finished_at', 'desc')
    .execute()

/**
 * The error of removing older backups after the newest one at a target; empty without an error or a backup.
 * @param at.since earlier backups do not count
 */
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

/** The archives of failed backups at one target, without those made by the command line. */
export async function listFailedNames(db: Database, target: string): Promise<string[]> {
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
export const findNewestEnded = (db: Db): Promise<Pick<RunRow, 'state' | 'error'> | undefined> =>
  db
    .selectFrom('backup_run')
    .select(['state', 'error'])
    .where('state', 'in', ['done', 'failed'])
    .where('made_by', '!=', 'command')
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Completed backups at any target, newest first. */
export const listDone = (db: Db): Promise<RunRow[]> =>
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

/** Ends a run. @returns false when it runs no more: its lease ended, and it was given up */
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

/** The leases of the processes that read a backup; a process may have died. */
export const listReadingLeases = (tx: Transaction): Promise<{ lease_until: string | null }[]> =>
  tx.selectFrom('backup_run').select('reading_until as lease_until').where('reading_until', 'is not', null).execute()

/** The runs of which a process reads the backup. */
export async function listReadRuns(db: Database, now: Date): Promise<Set<number>> {
  const rows = await db.selectFrom('backup_run').select('id').where('reading_until', '>=', now.toISOString()).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function startReading(tx: Transaction, id: number, until: string): Promise<void> {
  await tx.updateTable('backup_run').set({ reading_until: until }).where('id', '=', id).execute()
}

/**
 * Renews or ends a lease of reading; not when it expired and another reader has one.
 * @param own all ends that this reader gave its lease
 */
export async function changeReading(
  db: Database,
  id: number,
  own: readonly string[],
  until: string | null,
): Promise<void> {
  await db
    .updateTable('backup_run')
    .set({ reading_until: until })
    .where('id', '=', id)
    .where('reading_until', 'in', own)
    .execute()
}

export async function deleteRun(db: Database, id: number): Promise<void> {
  await db.deleteFrom('backup_run').where('id', '=', id).execute()
}

/** How the names of backups before updates begin. */
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
 * Deletes old rows of failed backups, and of command-line backups, whose files the operator removes.
 * @param old.updatesBefore of backups before updates: these are found by their rows, and removed by then, unless they were moved away
 */
export async function deleteOldRuns(db: Database, old: { before: Date; updatesBefore: Date }): Promise<void> {
  await db
    .deleteFrom('backup_run')
    .where('asked_at', '<', old.before.toISOString())
    .where((one) =>
      one.or([
        one('state', '=', 'failed'),
        one.and([
          one('made_by', '=', 'command'),
          one.or([one('name', 'not like', `${updatePrefix}%`), one('asked_at', '<', old.updatesBefore.toISOString())]),
        ]),
      ]),
    )
    .execute()
}

/**
 * Ends the runs that were open when the restored backup was made: its own run is done, all others are interrupted. They lose their
 * names, because their archives may have been completed since, and those of failed runs are removed.
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
