import type { MigrationOf } from './migration.ts'

/** Renames a table for what it is: the browsers and addresses in which a user signed in before. */
export const knownBrowser: MigrationOf = () => ({
  async up(db) {
    await db.schema.alterTable('known_place').renameTo('known_browser').execute()
  },
})
