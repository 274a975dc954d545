import type { MigrationOf } from './migration.ts'

/** Open incidents of health checks, the recipients of alerts and monthly reports, and pending webhook events. */
export const healthAlarms: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .createTable('health_trouble')
      .addColumn('check_name', 'text', (c) => c.primaryKey())
      .addColumn('looks', 'integer', (c) => c.notNull())
      .addColumn('good_looks', 'integer', (c) => c.notNull())
      .addColumn('notified_at', 'text')
      .execute()
    await db.schema
      .createTable('health_setting')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('people', 'text', (c) => c.notNull())
      .addColumn('reports', 'text', (c) => c.notNull())
      .addColumn('reported_month', 'text')
      .addColumn('webhook', 'text')
      .addColumn('pending', 'text', (c) => c.notNull())
      .addColumn('looked_at', 'text')
      .addColumn('version', 'integer', (c) => c.notNull())
      .execute()
    await db
      .insertInto('health_setting')
      .values({ id: 1, people: '[]', reports: '[]', pending: '[]', version: 1 })
      .execute()
  },
})
