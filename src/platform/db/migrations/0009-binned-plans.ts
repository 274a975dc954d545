import type { MigrationOf } from './migration.ts'

/** The schedule of a page when it was moved to the trash, to restore it with the page. */
export const binnedPlans: MigrationOf = () => ({
  async up(db) {
    for (const [name, type] of [
      ['bin_publish_at', 'text'],
      ['bin_publish_id', 'integer'],
      ['bin_unpublish_at', 'text'],
    ] as const) {
      await db.schema.alterTable('page_text').addColumn(name, type).execute()
    }
  },
})
