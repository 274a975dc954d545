import type { MigrationOf } from './migration.ts'

/** Whether a link was shown to somebody else than its user, and whether a password was ever chosen by somebody else. */
export const knowablePasswords: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .alterTable('user_link')
      .addColumn('shown', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Which of the open links were shown is not known.
    await db.updateTable('user_link').set({ shown: 1 }).where('purpose', '=', 'password').execute()
    await db.schema
      .alterTable('account')
      .addColumn('password_once_given', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.updateTable('account').set({ password_once_given: 1 }).where('password_given', '=', 1).execute()
  },
})
