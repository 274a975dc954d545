import type { MigrationOf } from './migration.ts'

/** Mail servers that staff set, each with its password encrypted with the program's secret. */
export const mailSettings: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .createTable('mail_setting')
      .addColumn('name', 'text', (c) => c.notNull().primaryKey())
      .addColumn('value', 'text')
      .addColumn('password', 'text')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
  },
})
