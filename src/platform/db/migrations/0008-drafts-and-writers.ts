import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** Indexes to count waiting drafts, and to erase a user who wrote pages. */
export const draftsAndWriters: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .createIndex('page_draft_waiting')
      .on('page_draft')
      .column('page_id')
      .where(sql<boolean>`text is not null`)
      .execute()
    await schema.createIndex('page_updated_by').on('page').column('updated_by_id').execute()
    await schema.createIndex('page_text_saved_by').on('page_text').column('saved_by_id').execute()
    await schema.createIndex('redirect_by').on('redirect').column('by_id').execute()
    await schema.createIndex('config_revision_author').on('config_revision').column('author_id').execute()
  },
})
