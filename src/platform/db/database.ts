import { join } from 'node:path'
import { Kysely } from 'kysely'
import { restingOn } from '../config/unusable.ts'
import type { Dialect } from './dialect/dialect.ts'
import { postgres } from './dialect/postgres.ts'
import { sqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/index.ts'
import type { Database, Tables } from './tables/index.ts'

export type { Database, Transaction } from './tables/index.ts'

/** A database that stands at today's tables, and how it differs from the other kind. */
export interface OpenDatabase {
  db: Database
  dialect: Dialect
}

/** Opens the database of the settings (SQLite under the data folder, unless `databaseUrl` names a PostgreSQL) and migrates it. @throws {WrongSettings} when there is none to open */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined
  dataDir: string
}): Promise<OpenDatabase> {
  const dialect = settings.databaseUrl ? postgres(settings.databaseUrl) : sqlite(databaseFile(settings.dataDir))
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    await restingOn(settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () =>
      migrate(db as unknown as Kysely<never>, dialect),
    )
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { db, dialect }
}

/** Where the SQLite database is. */
export const databaseFile = (dataDir: string) => join(dataDir, 'etalage.sqlite')

/** Reads a row that is always there. Rejects when the database does not answer, or has not this program's tables. */
export async function checkDatabase(db: Database): Promise<void> {
  await db.selectFrom('content_clock').select('version').executeTakeFirstOrThrow()
}
