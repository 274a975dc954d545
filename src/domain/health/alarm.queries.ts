import type { Day } from '../../contract/day.ts'
import { type HealthCheck, type HealthLine, healthChecks } from '../../contract/health.ts'
import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import { selectUserRights } from '../sign-in/user-rights.queries.ts'

/** The size of the database as measured on a day. */
export interface DatabaseSize {
  day: Day
  bytes: number
}

/** The settings of the alerts (which the API calls alarms) and the monthly report, and the state of their jobs. */
interface AlarmSetting {
  /** Ids of the users who receive alerts. `all`: nobody has saved the settings yet, so everybody who may receive them does. */
  people: number[] | 'all'
  /** The same for the monthly report. */
  reports: number[] | 'all'
  /** The month, such as `2026-11`, in which `queueMonthlyReport` last queued or skipped the report on the previous month. */
  reportHandledIn: string | null
  /** The URL to which alerts are posted. */
  webhook: string | null
  /** Events not yet delivered to the webhook, as JSON. */
  pending: string
  /** When an instance last recorded a check run, by the clock of the database. */
  lastRunAt: Date | null
  /** The recorded daily sizes of the database, oldest first. */
  sizes: DatabaseSize[]
  version: number
}

/** The version of settings that nobody has saved yet. */
const initialVersion = 1

export async function getAlarmSetting(db: Db): Promise<AlarmSetting> {
  const row = await db
    .selectFrom('health_setting')
    .select(['people', 'reports', 'reported_month as reportHandledIn', 'webhook', 'pending'])
    .select(['last_run_at', 'sizes', 'version'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const { last_run_at, ...setting } = row
  const wasSaved = row.version > initialVersion
  return {
    ...setting,
    people: wasSaved ? JSON.parse(row.people) : 'all',
    reports: wasSaved ? JSON.parse(row.reports) : 'all',
    lastRunAt: last_run_at === null ? null : new Date(last_run_at),
    sizes: JSON.parse(row.sizes),
  }
}

/** Stores the given fields; the others stay. */
export async function saveAlarmSetting(tx: Transaction, changes: Partial<AlarmSetting>): Promise<void> {
  const { people, reports, reportHandledIn, lastRunAt, sizes, ...columns } = changes
  await tx
    .updateTable('health_setting')
    .set({
      ...columns,
      ...(people && { people: JSON.stringify(people) }),
      ...(reports && { reports: JSON.stringify(reports) }),
      ...(reportHandledIn && { reported_month: reportHandledIn }),
      ...(sizes && { sizes: JSON.stringify(sizes) }),
      ...(lastRunAt && { last_run_at: lastRunAt.toISOString() }),
    })
    .where('id', '=', 1)
    .execute()
}

/** The recorded daily sizes of the database, oldest first. */
export async function listDatabaseSizes(db: Database): Promise<DatabaseSize[]> {
  const row = await db.selectFrom('health_setting').select('sizes').where('id', '=', 1).executeTakeFirstOrThrow()
  return JSON.parse(row.sizes)
}

/** The results of a check run as lines of the health page, in each language of the admin. */
export type LinesByLocale = Record<AdminLocale, HealthLine[]>

export async function storeLines(tx: Transaction, lines: LinesByLocale): Promise<void> {
  await tx
    .updateTable('health_setting')
    .set({ lines: JSON.stringify(lines) })
    .where('id', '=', 1)
    .execute()
}

/** The stored results of the last check run of any instance; undefined before the first. */
export async function findStoredLines(db: Db): Promise<LinesByLocale | undefined> {
  const row = await db.selectFrom('health_setting').select('lines').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.lines === null ? undefined : JSON.parse(row.lines)
}

/** Active users with the right to see the health page, all of them or only those with these ids: at most 200, by name. */
export async function listAlarmRecipients(
  db: Db,
  ids: readonly number[] | 'all',
): Promise<{ id: number; name: string; email: string; locale: AdminLocale }[]> {
  // SQL has no empty list, and no user has the id 0.
  const selectedIds = ids === 'all' || ids.length === 0 ? [0] : [...ids]
  const rows = await selectUserRights(db)
    .where('role_right.right_name', '=', 'config.write')
    .$if(ids !== 'all', (query) => query.where('user.id', 'in', selectedIds))
    .select(['user.id', 'user.name', 'user.email', 'user.locale'])
    .distinct()
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(200)
    .execute()
  return rows.map(({ locale, ...user }) => ({ ...user, locale: adminLocale(locale) }))
}

/** A check that failed and has not recovered yet. */
export interface Incident {
  check: HealthCheck
  /** The number of runs in which the check failed since the incident began. */
  failedRuns: number
  /** The number of runs since the last failed one in which it did not fail; counted only after an alert was queued. */
  passedRuns: number
  /** When the alert was queued; null: not yet. */
  notifiedAt: Date | null
}

export async function listIncidents(tx: Transaction): Promise<Incident[]> {
  const rows = await tx
    .selectFrom('health_incident')
    .select(['check_name', 'failed_runs', 'passed_runs', 'notified_at'])
    // Skips checks that only another version of the program has.
    .where('check_name', 'in', healthChecks)
    .execute()
  return rows.map((row) => ({
    check: row.check_name as HealthCheck,
    failedRuns: row.failed_runs,
    passedRuns: row.passed_runs,
    notifiedAt: row.notified_at === null ? null : new Date(row.notified_at),
  }))
}

export async function storeIncident(
  tx: Transaction,
  { check, failedRuns, passedRuns, notifiedAt }: Incident,
): Promise<void> {
  const values = { failed_runs: failedRuns, passed_runs: passedRuns, notified_at: notifiedAt?.toISOString() ?? null }
  await tx
    .insertInto('health_incident')
    .values({ check_name: check, ...values })
    .onConflict((conflict) => conflict.column('check_name').doUpdateSet(values))
    .execute()
}

export async function deleteIncident(tx: Transaction, check: HealthCheck): Promise<void> {
  await tx.deleteFrom('health_incident').where('check_name', '=', check).execute()
}
