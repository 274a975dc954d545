import type { MigrationOf } from './migration.ts'

/** Why the files of older backups could not be removed after a backup. */
export const backupRetention: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .alterTable('backup_run')
      .addColumn('retention_error', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
})
