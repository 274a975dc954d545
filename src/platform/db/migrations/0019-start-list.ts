import type { MigrationOf } from './migration.ts'

/** Whether a user has put away the list of first steps. */
export const startList: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .alterTable('user')
      .addColumn('start_list_hidden', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})
