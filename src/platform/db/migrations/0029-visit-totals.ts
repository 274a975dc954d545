import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** Totals of a day by referring site, campaign, device and so on. Page views are known from before. */
export const visitTotals: MigrationOf = (dialect) => ({
  async up(db) {
    await db.schema
      .createTable('visit_total')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('value', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('visit_total_key', ['kind', 'day', 'value'])
      .execute()
    await db.schema.createIndex('visit_total_day').on('visit_total').column('day').execute()
    await db
      .insertInto('visit_total')
      .columns(['kind', 'day', 'value', 'count'])
      .expression(
        db
          .selectFrom('page_view')
          .select([sql.lit('view').as('kind'), 'day', sql.lit('').as('value'), (eb) => eb.fn.sum('views').as('count')])
          .groupBy('day'),
      )
      .execute()
  },
})
