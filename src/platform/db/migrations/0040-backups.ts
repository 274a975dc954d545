import type { MigrationOf } from './migration.ts'

/** When backups are made and where they go, and each one that was begun. */
export const backups: MigrationOf = (dialect) => ({
  async up({ schema }) {
    await schema
      .createTable('backup_setting')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('since', 'text')
      .execute()
    await schema
      .createTable('backup_run')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('day', 'text')
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('asked_at', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('finished_at', 'text')
      .addColumn('lease_until', 'text')
      // Integers of PostgreSQL end at two gigabytes.
      .addColumn('bytes', 'double precision', (c) => c.notNull())
      .addColumn('row_count', 'integer', (c) => c.notNull())
      .addColumn('file_count', 'integer', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('error', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .execute()
    // A day without a number is never equal to another: only those of the clock are limited.
    await schema.createIndex('backup_run_of_day').unique().on('backup_run').columns(['day', 'attempt']).execute()
  },
})
