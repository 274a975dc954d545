import { join } from 'node:path'
import { Kysely } from 'kysely'
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

/** Opens the database of the settings (SQLite under the data folder, unless `databaseUrl` names a PostgreSQL) and migrates it. */
export async function openDatabase(settings: {
  databaseUrl?: string | undefined
  dataDir: string
}): Promise<OpenDatabase> {
  const dialect = settings.databaseUrl
    ? postgres(settings.databaseUrl)
    : sqlite(join(settings.dataDir, 'etalage.sqlite'))
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    await migrate(db as unknown as Kysely<never>, dialect)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { db, dialect }
}
