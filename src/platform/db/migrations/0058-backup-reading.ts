import type { MigrationOf } from './migration.ts'

/** The lease of the process that reads a backup to take something out of it. */
export const backupReading: MigrationOf = () => ({
  async up({ schema }) {
    await schema.alterTable('backup_run').addColumn('reading_until', 'text').execute()
  },
})
