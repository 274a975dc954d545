import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** The texts of published pages as visitors search them. The program adds the rows of existing pages when it starts. */
export const pageSearch: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('page_search')
      .addColumn('id', 'integer', (c) => dialect.autoIncrement(c))
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('filled_with', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('search_title', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('search_text', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addUniqueConstraint('page_search_page', ['page_id', 'locale'])
      .execute()
    if (dialect.name === 'postgres') {
      // The text of each row that is found is compared: decompressing it would take longer than that.
      await sql`alter table page_search alter column search_text set storage external`.execute(db)
    }
    // What is outdated is found without reading the texts.
    await schema
      .createIndex('page_search_state')
      .on('page_search')
      .columns(['page_id', 'locale', 'revision_id', 'filled_with'])
      .execute()
    await dialect.indexText(db, { table: 'page_search', column: 'search_title' })
    await dialect.indexText(db, { table: 'page_search', column: 'search_text' })
    // A mark in the row itself would write its text and its indexes again.
    await schema
      .createTable('page_search_mark')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_search_mark_key', ['page_id', 'locale'])
      .execute()
  },
})
