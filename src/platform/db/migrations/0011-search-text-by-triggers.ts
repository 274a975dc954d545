import type { MigrationOf } from './migration.ts'

const searchTexts = {
  message: ['naam', 'email', 'tel', 'bericht'],
  outbox: ['recipient'],
  user: ['name', 'email'],
  audit: ['actor_name', 'subject_name'],
  file: ['name', 'alt_nl', 'alt_fa', 'folder_name'],
  page: ['title', 'other_title', 'slugs'],
  redirect: ['from_path', 'to_path'],
}

/** Any SQLite from 3.40 on can read the file: its schema no longer contains hundreds of nested function calls. */
export const searchTextByTriggers: MigrationOf = (dialect) => ({
  async up(db) {
    for (const [table, columns] of Object.entries(searchTexts)) {
      await dialect.fillSearchTextByTriggers(db, { table, columns })
    }
  },
})
