import { existsSync } from 'node:fs'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { longStatementTimeoutMs } from '../platform/archive/backup-parts.ts'
import { InvalidSettings, readSettings } from '../platform/config/settings.ts'
import { publicFolderOf } from '../platform/config/site-file.ts'
import type { Context } from '../platform/context.ts'
import { openDatabase, sqlitePath } from '../platform/db/database.ts'
import { databaseClock } from '../platform/db/database-clock.ts'

/** The part of the context of a verb that a command has. */
type CommandContext = Pick<Context, 'db' | 'dialect' | 'now' | 'origin' | 'transaction' | 'wake'>

/** Wakes nothing: the running server polls for what a command queued. */
const wake: Context['wake'] = {
  email: () => {},
  image: () => {},
  backup: () => {},
  deletedRows: () => {},
  invalidation: async () => {},
}

/**
 * Opens the configured database for one piece of work, and closes it: an open connection would keep the process alive.
 * @param options.allowLongStatements gives statements the time limit of backups instead of that of requests
 * @param options.mayMigrate creates or migrates the database if needed; false: a database that needs it is refused
 */
export async function withDatabase<T>(
  work: (operator: CommandContext) => Promise<T>,
  options: { allowLongStatements?: boolean; mayMigrate: boolean },
): Promise<T> {
  const settings = readSettings()
  const { db, dialect } = await openDatabase({
    ...settings,
    ...(options.allowLongStatements && { databaseTimeoutMs: longStatementTimeoutMs }),
    mayMigrate: options.mayMigrate,
  })
  const clock = databaseClock({ db, dialect })
  try {
    await clock.measure()
    return await work({
      db,
      dialect,
      now: clock.now,
      // Without BASE_URL the server runs on the operator's own machine.
      origin: settings.baseUrl ?? `http://localhost:${settings.port}`,
      transaction: (work) => db.transaction().execute(work),
      wake,
    })
  } finally {
    clock.stop()
    await db.destroy()
  }
}

/** Whether there is a database. Always true for a server (DATABASE_URL), which may still be empty. */
export function databaseExists(): boolean {
  const settings = readSettings()
  return settings.databaseUrl !== undefined || existsSync(sqlitePath(settings.dataDir))
}

/**
 * `withDatabase` for work that needs an existing database. It is not migrated: the running version still uses it.
 * @throws {InvalidSettings} when there is none yet, or it needs a migration
 */
export async function withExistingDatabase<T>(work: (operator: CommandContext) => Promise<T>): Promise<T> {
  if (databaseExists()) return withDatabase(work, { mayMigrate: false })
  const { dataDir } = readSettings()
  throw new InvalidSettings([
    { name: 'DATA_DIR', found: `${JSON.stringify(dataDir)}, which holds no database`, wanted: 'that of the program' },
  ])
}

/** `withExistingDatabase` for work that needs the current configuration too. */
export async function withDatabaseAndSite<T>(
  work: (operator: CommandContext & Pick<Context, 'site'>) => Promise<T>,
): Promise<T> {
  const { siteConfig } = readSettings()
  return withExistingDatabase(async (operator) => {
    const { site } = await loadConfiguration(operator.db, { file: siteConfig, publicDir: publicFolderOf(siteConfig) })
    return work({ ...operator, site })
  })
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints why a command is not carried out. @returns the exit code */
export function refuse(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}
