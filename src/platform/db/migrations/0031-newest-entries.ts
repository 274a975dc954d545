import type { MigrationOf } from './migration.ts'

/** The newest entries of a collection, for lists and feeds; overviews may have another order. */
export const newestEntries: MigrationOf = () => ({
  async up({ schema }) {
    const newest = ['date', 'page_id'] as const
    await schema
      .createIndex('page_entry_newest')
      .on('page_entry')
      .columns(['collection', 'locale', ...newest])
      .execute()
    await schema
      .createIndex('page_entry_newest_of_category')
      .on('page_entry')
      .columns(['collection', 'locale', 'category', ...newest])
      .execute()
  },
})
