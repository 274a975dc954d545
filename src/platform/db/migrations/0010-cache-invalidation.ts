import type { MigrationOf } from './migration.ts'

/** Renames tables for what they are: the log of invalidated cache tags. */
export const cacheInvalidation: MigrationOf = () => ({
  async up(db) {
    await db.schema.alterTable('content_clock').renameTo('cache_invalidation_clock').execute()
    await db.schema.alterTable('content_change').renameTo('cache_invalidation').execute()
  },
})
