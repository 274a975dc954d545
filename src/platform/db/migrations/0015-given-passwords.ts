import type { MigrationOf } from './migration.ts'

/** Whether somebody else chose a password, and whether it must be renewed because its user got more rights since. */
export const givenPasswords: MigrationOf = () => ({
  async up(db) {
    for (const name of ['password_given', 'password_expired'] as const) {
      await db.schema
        .alterTable('account')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
})
