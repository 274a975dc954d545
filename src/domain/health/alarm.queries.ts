import type { Day } from '../../contract/day.ts'
import { type HealthCheck, type HealthLine, healthChecks } from '../../contract/health.ts'
import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import { selectUserRights } from '../sign-in/user-rights.queries.ts'

export interface DatabaseSize {
  day: Day
  bytes: number
}

export interface AlarmSetting {
  /** Ids of the users who receive alerts; `all` users who may, until the setting is saved for the first time. */
  people: number[] | 'all'
  /** The same for the monthly report. */
  reports: number[] | 'all'
  /** The month, such as `2026-11`, in which `reportMonth` last handled the report on the month before it. */
  reportedMonth: string | null
  webhook: string | null
  /** Events not yet delivered to the webhook, as JSON. */
  pending: string
  lastRunAt: Date | null
  /** The recorded daily sizes of the database, oldest first. */
  sizes: DatabaseSize[]
  version: number
}

/** The version of a setting that was never saved. */
const initialVersion = 1

export async function getAlarmSetting(db: Db): Promise<AlarmSetting> {
  const row = await db
    .selectFrom('health_setting')
    .select(['people', 'reports', 'reported_month as reportedMonth', 'webhook', 'pending'])
    .select(['last_run_at', 'sizes', 'version'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const { last_run_at, ...setting } = row
  const isChosen = row.version > initialVersion
  return {
    ...setting,
    people: isChosen ? JSON.parse(row.people) : 'all',
    reports: isChosen ? JSON.parse(row.reports) : 'all',
    lastRunAt: last_run_at === null ? null : new Date(last_run_at),
    sizes: JSON.parse(row.sizes),
  }
}

/** Stores the given fields; the others stay. */
export async function saveAlarmSetting(tx: Transaction, changed: Partial<AlarmSetting>): Promise<void> {
  const { people, reports, reportedMonth, lastRunAt, sizes, ...columns } = changed
  await tx
    .updateTable('health_setting')
    .set({
      ...columns,
      ...(people && { people: JSON.stringify(people) }),
      ...(reports && { reports: JSON.stringify(reports) }),
      ...(reportedMonth && { reported_month: reportedMonth }),
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

/** The lines of the health page in each language of the admin. */
export type FoundLines = Record<AdminLocale, HealthLine[]>

export async function saveFoundLines(tx: Transaction, lines: FoundLines): Promise<void> {
  await tx
    .updateTable('health_setting')
    .set({ lines: JSON.stringify(lines) })
    .where('id', '=', 1)
    .execute()
}

/** What the last check run of any instance found; undefined before the first. */
export async function findFoundLines(db: Db): Promise<FoundLines | undefined> {
  const row = await db.selectFrom('health_setting').select('lines').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.lines === null ? undefined : JSON.parse(row.lines)
}

/** Active users with the right to see the health page: all of them, or only those with these ids. */
export async function listAlarmRecipients(
  db: Db,
  ids: readonly number[] | 'all',
): Promise<{ id: number; name: string; email: string; locale: AdminLocale }[]> {
  const rows = await selectUserRights(db)
    .where('role_right.right_name', '=', 'config.write')
    .$if(ids !== 'all', (query) => query.where('user.id', 'in', ids === 'all' || ids.length === 0 ? [0] : [...ids]))
    .select(['user.id', 'user.name', 'user.email', 'user.locale'])
    .distinct()
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(200)
    .execute()
  return rows.map(({ locale, ...user }) => ({ ...user, locale: adminLocale(locale) }))
}

export interface Incident {
  check: HealthCheck
  /** Check runs with a failure since the incident began. */
  failedRuns: number
  /** Check runs without a failure since the last one with it; counted only after an alert was sent. */
  passedRuns: number
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
