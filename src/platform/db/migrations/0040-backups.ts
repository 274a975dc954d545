import type { MigrationOf } from './migration.ts'

/** The settings of backups, and the backup runs. */
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
    // `day` is null for manual backups, and nulls are never equal: only scheduled runs are limited.
    await schema.createIndex('backup_run_of_day').unique().on('backup_run').columns(['day', 'attempt']).execute()
  },
})
