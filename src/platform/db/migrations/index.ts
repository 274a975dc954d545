import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'
import { first } from './0001-first.ts'
import type { MigrationOf } from './migration.ts'

const migrations: Record<string, MigrationOf> = {
  '0001-first': first,
}

/** Brings the database to today's tables. Copies that start at once wait for each other. */
export async function migrate(db: Kysely<never>, dialect: Dialect): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, migration(dialect)])),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
