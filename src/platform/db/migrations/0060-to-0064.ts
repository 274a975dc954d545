import { sql } from 'kysely'
import { searchTexts } from './0005-to-0012.ts'
import { fileSearchText } from './0029-to-0059.ts'
import { addColumn, createIndex, type MigrationOf } from './migration.ts'

/**
 * Names by which a reader knows what is stored. Nothing else changes, so a backup of an earlier version gets them when it is
 * restored. An earlier program cannot run on the new names.
 */
export const plainNames: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    for (const [table, from, to] of [
      ['page', 'bin', 'trashed'],
      ['page', 'planned', 'scheduled'],
      ['page_count', 'bin', 'trashed'],
      ['page_count', 'planned', 'scheduled'],
      ['page_text', 'bin_live_id', 'trashed_live_id'],
      ['page_text', 'bin_publish_at', 'trashed_publish_at'],
      ['page_text', 'bin_publish_id', 'trashed_publish_id'],
      ['page_text', 'bin_unpublish_at', 'trashed_unpublish_at'],
      ['page_review', 'number', 'offer_number'],
      ['page_review', 'answer', 'reviewer_note'],
      ['page_review_earlier', 'number', 'offer_number'],
      ['account', 'password_given', 'password_set_by_other'],
      ['account', 'password_once_given', 'password_ever_set_by_other'],
      ['health_trouble', 'looks', 'failed_runs'],
      ['health_trouble', 'good_looks', 'passed_runs'],
      ['health_setting', 'looked_at', 'last_run_at'],
    ] as const) {
      await schema.alterTable(table).renameColumn(from, to).execute()
    }
    await schema.alterTable('health_trouble').renameTo('health_incident').execute()
    await schema.alterTable('cache_invalidation_clock').renameTo('cache_invalidation_version').execute()
    for (const table of ['page_file_usage', 'page_section_usage']) {
      await db.updateTable(table).set({ source: 'scheduled' }).where('source', '=', 'planned').execute()
    }
    await schema.dropIndex('page_bin').execute()
    const counted = ['trashed', 'state_nl', 'state_fa', 'scheduled']
    await createIndex(schema, 'page_trashed', 'page', counted)
    // The triggers that count have the names of the columns in their text.
    for (const [table, columns] of [
      ['page', counted],
      ['page_entry', ['collection', 'locale', 'category']],
      ['user', ['role_id', 'blocked']],
      ['file', ['folder_id', 'kind']],
    ] as const) {
      await dialect.maintainCounts(db, { table, into: `${table}_count`, columns: [...columns] })
    }
  },
})

/** The date of a page in the trash, which it shows again when it is restored. */
export const trashedDates: MigrationOf = () => ({
  up: (db) => addColumn(db.schema, 'page_text', 'trashed_live_date', 'text'),
})

/**
 * The user who added a file, as far as the audit log still says so; no names of erased people at files, replies and backups; and the
 * sort keys of Persian titles in the order of the alphabet.
 */
export const uploadersAndTitles: MigrationOf = () => ({
  async up(db) {
    await addColumn(db.schema, 'file', 'added_by_id', 'integer')
    await sql`
      update file set added_by_id = uploaded.actor_id
      from (
        select subject_id, max(actor_id) as actor_id from audit where action = 'file.uploaded' group by subject_id
      ) as uploaded
      where uploaded.subject_id = cast(file.id as text)`.execute(db)
    for (const [table, id, name] of [
      ['file', 'added_by_id', 'added_by'],
      ['message_reply', 'actor_id', 'actor_name'],
      ['backup_run', 'actor_id', 'actor_name'],
    ] as const) {
      // The audit log has the number of a person who was erased in place of the name.
      await sql`
        update ${sql.id(table)} set ${sql.id(name)} = '#' || ${sql.id(id)}
        where ${sql.id(id)} in (select actor_id from audit where actor_name = '#' || actor_id)`.execute(db)
    }
    for (const [character, key] of [
      ['پ', 'ب\uffff'],
      ['چ', 'ج\uffff'],
      ['ژ', 'ز\uffff'],
      ['ک', 'ق\uffff'],
      ['گ', 'ق\uffff\uffff'],
      ['ه', 'و\uffff'],
    ] as const) {
      await sql`update page_entry set sort_key = replace(sort_key, ${character}, ${key})
        where sort_key like ${`%${character}%`}`.execute(db)
    }
  },
})

/** The words of very long texts are indexed again, within the limit of the index. */
export const limitedWords: MigrationOf = (dialect) => ({
  up: (db) => dialect.limitWordTokens(db, { table: 'page_search', column: 'search_text' }),
})

/** PostgreSQL read a definition of 146 kB at each insert into a table with a generated search text. */
export const searchTextByTriggersOnPostgres: MigrationOf = (dialect) => ({
  async up(db) {
    if (dialect.name !== 'postgres') return
    for (const [table, columns] of Object.entries({ ...searchTexts, file: fileSearchText })) {
      await dialect.fillSearchTextByTriggers(db, { table, columns })
    }
  },
})
