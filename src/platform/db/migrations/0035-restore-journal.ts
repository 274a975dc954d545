import type { MigrationOf } from './migration.ts'

/** What a restore of an older backup must not bring back: erased people and deleted users. */
export const restoreJournal: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .createTable('restore_journal')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('restore_journal_key', ['kind', 'subject'])
      .execute()
  },
})
