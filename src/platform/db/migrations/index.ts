import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'
import { first } from './0001-first.ts'
import { people } from './0002-people.ts'
import { inbox } from './0003-inbox.ts'
import { files } from './0004-files.ts'
import { pages } from './0005-pages.ts'
import { views } from './0006-views.ts'
import { configuration } from './0007-configuration.ts'
import { draftsAndWriters } from './0008-drafts-and-writers.ts'
import { binnedPlans } from './0009-binned-plans.ts'
import type { MigrationOf } from './migration.ts'

const migrations: Record<string, MigrationOf> = {
  '0001-first': first,
  '0002-people': people,
  '0003-inbox': inbox,
  '0004-files': files,
  '0005-pages': pages,
  '0006-views': views,
  '0007-configuration': configuration,
  '0008-drafts-and-writers': draftsAndWriters,
  '0009-binned-plans': binnedPlans,
}

/** The database stands at tables that this program does not know. */
export class NewerDatabase extends Error {
  constructor(unknown: string[]) {
    super(
      `The database was made by a newer version of this program: it knows ${unknown.join(', ')}. Start that version.`,
    )
    this.name = 'NewerDatabase'
  }
}

/**
 * Brings the database to today's tables. Copies that start at once wait for each other.
 * @throws {NewerDatabase}
 */
export async function migrate(db: Kysely<never>, dialect: Dialect): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, migration(dialect)])),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const unknown = await unknownMigrations(db)
    throw unknown.length > 0 ? new NewerDatabase(unknown) : error
  }
  return (results ?? []).map((result) => result.migrationName)
}

async function unknownMigrations(db: Kysely<never>): Promise<string[]> {
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch(() => ({ rows: [] }))
  return done.rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
}
