import type { MigrationOf } from './migration.ts'

/** How large the database was on each of the last days. */
export const databaseGrowth: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .alterTable('health_setting')
      .addColumn('sizes', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
})
