import type { MigrationOf } from './migration.ts'

/** Pages that are entries of a collection, and the published ones as overviews list them. */
export const collections: MigrationOf = (dialect) => ({
  async up({ schema }) {
    const bytewise = dialect.bytewiseText as 'text'
    await schema.alterTable('page').addColumn('collection', bytewise).execute()
    await schema.createIndex('page_collection').on('page').columns(['collection', 'bin']).execute()
    await schema
      .createTable('page_entry')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('collection', bytewise, (c) => c.notNull())
      .addColumn('text_locale', 'text', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('slug', bytewise, (c) => c.notNull())
      .addColumn('date', 'text', (c) => c.notNull())
      .addColumn('category', bytewise, (c) => c.notNull())
      .addColumn('sort_key', bytewise, (c) => c.notNull())
      .addPrimaryKeyConstraint('page_entry_key', ['page_id', 'locale'])
      .execute()
    const ordered = ['sort_key', 'page_id'] as const
    await schema
      .createIndex('page_entry_order')
      .on('page_entry')
      .columns(['collection', 'locale', ...ordered])
      .execute()
    await schema
      .createIndex('page_entry_category')
      .on('page_entry')
      .columns(['collection', 'locale', 'category', ...ordered])
      .execute()
  },
})
