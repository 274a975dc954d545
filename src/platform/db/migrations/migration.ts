import type { AlterTableBuilder, SchemaModule } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, MigratedDatabase } from '../dialect/dialect.ts'

/** Migrations only go forward. */
export type MigrationOf = (dialect: Dialect) => Omit<Migration, 'down'> & { up(db: MigratedDatabase): Promise<void> }

export const addColumn = (
  schema: SchemaModule,
  table: string,
  ...column: Parameters<AlterTableBuilder['addColumn']>
): Promise<void> =>
  schema
    .alterTable(table)
    .addColumn(...column)
    .execute()

export const createIndex = (
  schema: SchemaModule,
  name: string,
  table: string,
  columns: readonly string[],
): Promise<void> =>
  schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute()
