import type { MigrationOf } from './migration.ts'

/** Texts of pages that are offered for review, and whether a user wants emails about them. */
export const pageReviews: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('page_review')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('offered_at', 'text', (c) => c.notNull())
      .addColumn('offered_by_id', 'integer')
      .addColumn('offered_by_name', 'text', (c) => c.notNull())
      .addColumn('answer', 'text')
      .addColumn('ended_at', 'text')
      .addColumn('ended_by_id', 'integer')
      .addColumn('ended_by_name', 'text')
      .addPrimaryKeyConstraint('page_review_key', ['page_id', 'locale'])
      .execute()
    await schema.createIndex('page_review_state').on('page_review').columns(['state', 'offered_at']).execute()
    await schema.createIndex('page_review_offered_by').on('page_review').column('offered_by_id').execute()
    await schema.createIndex('page_review_ended_by').on('page_review').column('ended_by_id').execute()
    await schema
      .alterTable('user')
      .addColumn('review_emails', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
})
