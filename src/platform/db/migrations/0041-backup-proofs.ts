import type { MigrationOf } from './migration.ts'

/** Proofs of backups. */
export const backupProofs: MigrationOf = (dialect) => ({
  async up({ schema }) {
    await schema
      .createTable('backup_proof')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.unique())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('backup_at', 'text')
      .addColumn('asked_at', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('finished_at', 'text')
      .addColumn('lease_until', 'text')
      .addColumn('findings', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .execute()
  },
})
