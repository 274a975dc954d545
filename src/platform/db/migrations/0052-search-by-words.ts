import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** An index of the words of pages. The program adds existing pages when it starts, a page at a time. */
export const searchByWords: MigrationOf = (dialect) => ({
  async up(db) {
    await db.schema
      .alterTable('page_search')
      .addColumn('words_indexed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await sql`create index page_search_without_words on page_search (locale) where words_indexed = 0`.execute(db)
    await dialect.indexWords(db, { table: 'page_search', column: 'search_text' })
  },
})
