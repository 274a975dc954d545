import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

const columns = ['collection', 'locale', 'category'] as const

/** How many entries each category of a collection lists, so that an overview of very many counts none. */
export const entryCounts: MigrationOf = (dialect) => ({
  async up(db) {
    const bytewise = dialect.bytewiseText as 'text'
    await db.schema
      .createTable('page_entry_count')
      .addColumn('collection', bytewise, (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('category', bytewise, (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_entry_count_key', [...columns])
      .execute()
    const names = sql.join(columns.map((column) => sql.id(column)))
    await sql`insert into page_entry_count (${names}, counted)
      select ${names}, count(*) from page_entry group by ${names}`.execute(db)
    await dialect.maintainCounts(db, { table: 'page_entry', into: 'page_entry_count', columns: [...columns] })
  },
})
