import type { MigrationOf } from './migration.ts'

/** How often each page was looked at on each day, and an index to count the messages of a day by. */
export const views: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .createTable('page_view')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('views', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_view_key', ['day', 'path', 'locale'])
      .execute()
    // The folder stands second: with it first, SQLite would take this index for counting what is unread in a folder.
    await db.schema.createIndex('message_created_folder').on('message').columns(['created_at', 'folder']).execute()
  },
})
