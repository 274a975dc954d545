import type { MigrationOf } from './migration.ts'

/** The offers by other writers that a later offer of the same page continues. */
export const earlierOffers: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('page_review_earlier')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('offered_at', 'text', (c) => c.notNull())
      .addColumn('offered_by_id', 'integer')
      .addColumn('offered_by_name', 'text', (c) => c.notNull())
      .addColumn('taken_over_by_id', 'integer')
      .addPrimaryKeyConstraint('page_review_earlier_key', ['page_id', 'locale', 'number'])
      .execute()
    await schema
      .createIndex('page_review_earlier_offered_by')
      .on('page_review_earlier')
      .column('offered_by_id')
      .execute()
  },
})
