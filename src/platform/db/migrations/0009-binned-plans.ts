import type { MigrationOf } from './migration.ts'

/** What was planned for a page when it went into the bin, so that it comes back with the page. */
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
