import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/**
 * A draft is one row with one revision number: the tables of tabs and steps are dropped. File usages on pages and open
 * tabs get the names that the program uses. Redirects are looked up by a prefix of their target, which fits into an
 * index whatever its length.
 */
export const oneRowDrafts: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema.dropTable('page_draft_step').execute()
    await schema.dropTable('page_draft_tab').execute()
    await schema.alterTable('page_draft').renameColumn('number', 'revision').execute()
    await schema.alterTable('page_presence').renameColumn('editor', 'tab_id').execute()

    await schema.alterTable('page_place').renameTo('page_file_usage').execute()
    for (const [old, name, columns] of [
      ['page_place_address', 'page_file_usage_address', ['address']],
      ['page_place_page', 'page_file_usage_page', ['page_id', 'locale', 'source']],
      ['page_place_user', 'page_file_usage_user', ['user_id']],
    ] as [string, string, string[]][]) {
      await schema.dropIndex(old).execute()
      await schema.createIndex(name).on('page_file_usage').columns(columns).execute()
    }

    await schema.dropIndex('redirect_to').execute()
    await sql`create index redirect_to on redirect (substr(to_path, 1, 502))`.execute(db)
  },
})
