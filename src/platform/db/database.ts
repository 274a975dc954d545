import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { InvalidSettings } from '../config/settings.ts'
import { validating } from '../config/unusable-settings.ts'
import type { Dialect } from './dialect/dialect.ts'
import { postgres } from './dialect/postgres.ts'
import { sqlite } from './dialect/sqlite.ts'
import { isDatabaseUnavailable } from './dialect/unavailable.ts'
import { isMigrated, listMigrations, migrate } from './migrations/index.ts'
import type { Database, Tables } from './tables/index.ts'

export { isDiskFull } from './dialect/sqlite-driver.ts'
export { isDatabaseUnavailable } from './dialect/unavailable.ts'
export type { Database, Db, Transaction } from './tables/index.ts'

/** A migrated database and its dialect. */
export interface OpenDatabase {
  db: Database
  dialect: Dialect
}

/**
 * Opens and migrates the configured database: SQLite in the data folder, unless `databaseUrl` names a PostgreSQL.
 * @param settings.mayMigrate false: a database that needs a migration is refused
 * @throws {InvalidSettings} when it cannot be opened
 */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined
  databasePoolSize?: number
  databaseTimeoutMs?: number
  dataDir: string
  mayMigrate?: boolean
}): Promise<OpenDatabase> {
  const { mayMigrate = true } = settings
  const { databaseUrl, databasePoolSize: poolSize = 10, databaseTimeoutMs: timeoutMs = 15_000, dataDir } = settings
  if (!databaseUrl) {
    const dialect = sqlite(sqlitePath(dataDir))
    return prepareOrClose('DATA_DIR', dialect, async (db) => {
      if (mayMigrate) await migrate(db, dialect)
      else if (!(await isMigrated(db))) throw new InvalidSettings([{ name: 'DATA_DIR', ...notMigrated }])
    })
  }
  return prepareOrClose('DATABASE_URL', postgres(databaseUrl, { poolSize, timeoutMs }), async (db) => {
    if (await isMigrated(db)) return
    if (!mayMigrate) throw new InvalidSettings([{ name: 'DATABASE_URL', ...notMigrated }])
    await refuseOldPostgres(db)
    // Migrations may take longer than other statements. Idle transactions keep a timeout: others wait for them.
    const forMigrations = postgres(databaseUrl, { poolSize: 2, timeoutMs, hasNoStatementTimeout: true })
    const migrated = await prepareOrClose('DATABASE_URL', forMigrations, (db) => migrate(db, forMigrations))
    await migrated.db.destroy()
  })
}

/** The first version with `drop expression`, which a migration uses. */
const oldestPostgres = 13

async function refuseOldPostgres(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const version = rows[0]?.version ?? ''
  if (Number.parseInt(version, 10) >= oldestPostgres) return
  throw new InvalidSettings([
    { name: 'DATABASE_URL', found: `PostgreSQL ${version}`, wanted: `${oldestPostgres} or newer` },
  ])
}

const notMigrated = {
  found: 'a database that this version of the program has not migrated',
  wanted: 'the command in the folder of the version that runs, or a start of this version first',
}

/** The dialect of the configured database, without opening the database. */
export const databaseDialect = (settings: { databaseUrl?: string | undefined; dataDir: string }): Dialect =>
  settings.databaseUrl ? postgres(settings.databaseUrl) : sqlite(sqlitePath(settings.dataDir))

/** The names of the migrations that the configured database has, without migrating it; none when it is empty. */
export const readMigrations = (settings: { databaseUrl?: string | undefined; dataDir: string }): Promise<string[]> =>
  readUnmigrated(settings, listMigrations)

/** Reads the configured database without migrating it: tables and columns of pending migrations are missing. */
export async function readUnmigrated<T>(
  settings: { databaseUrl?: string | undefined; dataDir: string },
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Tables>({ dialect: databaseDialect(settings).kysely })
  try {
    return await validating(settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () => read(db))
  } finally {
    await db.destroy()
  }
}

/** `Dialect.connections` of the configured database. */
export async function readConnections(settings: {
  databaseUrl?: string | undefined
  dataDir: string
}): ReturnType<Dialect['connections']> {
  const dialect = databaseDialect(settings)
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  return dialect.connections(db).finally(() => db.destroy())
}

/** Opens a database and prepares it; closes it when `prepare` fails. @param setting see `validating` */
async function prepareOrClose(
  setting: 'DATABASE_URL' | 'DATA_DIR',
  dialect: Dialect,
  prepare: (db: Kysely<never>) => Promise<unknown>,
): Promise<OpenDatabase> {
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    // The cast: migrations see the tables of their own time.
    await validating(setting, () => prepare(db as unknown as Kysely<never>))
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { db, dialect }
}

export const sqlitePath = (dataDir: string) => join(dataDir, 'etalage.sqlite')

/**
 * Reads a row that always exists, and after a failed write tests whether writing works again.
 * @throws when the database does not answer, lacks this program's tables, or cannot be written to
 */
export async function checkDatabase({ db, dialect }: OpenDatabase): Promise<void> {
  await db.selectFrom('cache_invalidation_version').select('version').executeTakeFirstOrThrow()
  if (!dialect.lastWriteFailure.error) return
  await checkWritable(db)
  delete dialect.lastWriteFailure.error
}

const probeTimeoutMs = 2_000

/** Whether the database is unavailable. Tested through a new connection, because all others may be in use. */
export async function probeIsUnavailable(
  settings: { databaseUrl?: string | undefined; dataDir: string },
  { dialect: { lastWriteFailure } }: OpenDatabase,
): Promise<boolean> {
  const { databaseUrl } = settings
  const dialect = databaseUrl
    ? postgres(databaseUrl, { poolSize: 1, timeoutMs: probeTimeoutMs })
    : sqlite(sqlitePath(settings.dataDir), { openWithinMs: 100 })
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  const isUnavailable = checkDatabase({ db, dialect: { ...dialect, lastWriteFailure: { ...lastWriteFailure } } }).then(
    () => false,
    isDatabaseUnavailable,
  )
  // Closing earlier would wait for the answer of the database.
  void isUnavailable.then(() => db.destroy()).catch(() => {})
  return Promise.race([isUnavailable, pause(probeTimeoutMs, true, { ref: false })])
}

/** Rows that take more space than the longest message with its search index, to detect a nearly full disk. */
const probeRows = Array.from({ length: 100 }, (_, index) => ({
  version: 0,
  tag: `write check ${index} `.padEnd(1_000, '.'),
}))

/**
 * Tests writing by inserting and deleting rows: SQLite would skip an update that changes nothing.
 * @throws when the database cannot be written to, or has no room for a message
 */
export async function checkWritable(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('cache_invalidation').values(probeRows).execute()
    await tx.deleteFrom('cache_invalidation').where('version', '=', 0).execute()
  })
}
