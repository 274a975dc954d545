import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { compareVersions, readRelease } from '../../config/release.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { migrationNames } from './migration-names.ts'

/** The database was migrated by a newer version of the program. */
export class DatabaseTooNew extends Error {
  constructor(unknown: string[]) {
    super(
      `The database was made by a newer version of this program: it knows ${unknown.join(', ')}. Start that version.`,
    )
    this.name = 'DatabaseTooNew'
  }
}

/**
 * Whether every migration of this program was run, and no other but those of newer versions that it can run beside.
 * @throws {DatabaseTooNew}
 */
export async function isMigrated(db: Kysely<never>): Promise<boolean> {
  const done = await listMigrations(db)
  const { unusable } = findNewerMigrations(done)
  if (unusable.length > 0) throw new DatabaseTooNew(unusable)
  return migrationNames.every((name) => done.includes(name))
}

/**
 * Runs the pending migrations. Processes that start together wait for each other.
 * @throws {DatabaseTooNew}
 */
export async function migrate(db: Kysely<never>, dialect: Dialect): Promise<string[]> {
  if (await isMigrated(db)) return []
  const { runMigrations } = await import('./run-migrations.ts')
  const { error, results } = await runMigrations(db, dialect)
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** The names of the migrations that were run; none in an empty database. */
export async function listMigrations(db: QueryExecutorProvider): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

const isMissingTable = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '42P01' || /no such table/.test((error as Error).message)

/** `0050-more@0.2.0`: tables are only added to, so that programs since this version can go on using them. */
const statedVersion = /@(\d+\.\d+\.\d+)$/

/**
 * The migrations of newer versions that were run on the database.
 * @param done the names of the migrations that were run
 * @returns all of them, and those of which the newer version does not state that this program can run on them
 */
export function findNewerMigrations(done: readonly string[]): { newer: string[]; unusable: string[] } {
  const known = new Set<string>(migrationNames)
  const newer = done.filter((name) => !known.has(name))
  if (newer.length === 0) return { newer, unusable: [] }
  const { version } = readRelease(process.cwd())
  const unusable = newer.filter((name) => {
    const since = statedVersion.exec(name)?.[1]
    return since === undefined || compareVersions(version, since) < 0
  })
  return { newer, unusable }
}
