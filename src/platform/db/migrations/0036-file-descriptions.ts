import { foldedColumns } from './folded-text.ts'
import type { MigrationOf } from './migration.ts'

/** The descriptions of a file beyond Dutch and Persian, which its search text has too. */
export const fileDescriptions: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .alterTable('file')
      .addColumn('alt_other', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute()
    await schema
      .alterTable('file')
      .addColumn('alt_other_text', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    const columns = ['name', 'alt_nl', 'alt_fa', 'alt_other_text', 'folder_name']
    if (dialect.name === 'sqlite') return dialect.fillSearchTextByTriggers(db, { table: 'file', columns })

    // The expression of a generated column cannot be changed before PostgreSQL 17. Its indexes go with it.
    await schema.alterTable('file').dropColumn('search_text').execute()
    await dialect.addGeneratedText(db, { table: 'file', column: 'search_text', from: foldedColumns(...columns) })
    await schema.createIndex('file_name').on('file').columns(['search_text', 'id', 'folder_id', 'kind']).execute()
    await dialect.indexText(db, { table: 'file', column: 'search_text' })
  },
})
