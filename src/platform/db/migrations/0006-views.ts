import type { MigrationOf } from './migration.ts'

/** Page views by day, and an index to count the messages of a day. */
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
    // The folder comes second: with it first, SQLite would use this index to count the unread messages of a folder.
    await db.schema.createIndex('message_created_folder').on('message').columns(['created_at', 'folder']).execute()
  },
})
