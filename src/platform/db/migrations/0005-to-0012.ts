import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import { addColumn, createIndex, type MigrationOf } from './migration.ts'

/** Pages with a text in each language, their history, drafts, presence, and redirects. */
export const pages: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    const address = dialect.bytewiseText as 'text'
    await schema
      .createTable('page')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('fixed', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('seeded', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('bin', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('deleted_at', 'text')
      .addColumn('state_nl', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('state_fa', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('planned', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('title', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('other_title', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('slugs', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .addColumn('updated_by_id', 'integer')
      .addColumn('updated_by_name', 'text', (c) => c.notNull())
      .addColumn('search_text', address, (c) =>
        c.generatedAlwaysAs(foldedColumns('title', 'other_title', 'slugs')).stored(),
      )
      .execute()
    // The filter columns come last, so that a filtered list is read from the index of its sort order alone.
    const filtered = ['id', 'bin', 'state_nl', 'state_fa', 'planned']
    await createIndex(schema, 'page_updated', 'page', ['updated_at', ...filtered])
    await createIndex(schema, 'page_title', 'page', ['search_text', ...filtered])
    await createIndex(schema, 'page_bin', 'page', ['bin', 'state_nl', 'state_fa', 'planned'])
    await dialect.indexText(db, { table: 'page', column: 'search_text' })
    const counted = ['bin', 'state_nl', 'state_fa', 'planned']
    await schema
      .createTable('page_count')
      .addColumn('bin', 'integer', (c) => c.notNull())
      .addColumn('state_nl', 'integer', (c) => c.notNull())
      .addColumn('state_fa', 'integer', (c) => c.notNull())
      .addColumn('planned', 'integer', (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_count_key', counted as ['bin'])
      .execute()
    await dialect.maintainCounts(db, { table: 'page', into: 'page_count', columns: counted })

    await schema
      .createTable('page_text')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('slug', address, (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('saved_id', 'integer', (c) => c.notNull())
      .addColumn('saved_at', 'text', (c) => c.notNull())
      .addColumn('saved_by_id', 'integer')
      .addColumn('saved_by_name', 'text', (c) => c.notNull())
      .addColumn('live_id', 'integer')
      .addColumn('live_slug', address)
      .addColumn('live_noindex', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('live_date', 'text')
      .addColumn('published_at', 'text')
      .addColumn('publish_at', 'text')
      .addColumn('publish_id', 'integer')
      .addColumn('publish_slug', address)
      .addColumn('unpublish_at', 'text')
      .addColumn('bin_live_id', 'integer')
      .addPrimaryKeyConstraint('page_text_key', ['page_id', 'locale'])
      .execute()
    // A visit looks up one page by this index.
    await schema.createIndex('page_text_live').on('page_text').columns(['locale', 'live_slug']).unique().execute()
    await createIndex(schema, 'page_text_slug', 'page_text', ['locale', 'slug'])
    await createIndex(schema, 'page_text_publish_slug', 'page_text', ['locale', 'publish_slug'])
    await createIndex(schema, 'page_text_publish_at', 'page_text', ['publish_at'])
    await createIndex(schema, 'page_text_unpublish_at', 'page_text', ['unpublish_at'])

    await schema
      .createTable('page_revision')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('group_id', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('date', 'text')
      .addColumn('published', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('restored_from', 'integer')
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('by_id', 'integer')
      .addColumn('by_name', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('page_revision_version')
      .on('page_revision')
      .columns(['page_id', 'locale', 'version'])
      .unique()
      .execute()
    await createIndex(schema, 'page_revision_group', 'page_revision', ['page_id', 'locale', 'group_id'])
    await createIndex(schema, 'page_revision_by', 'page_revision', ['by_id'])

    await drafts(dialect)(db)
    await around(dialect)(db)
  },
})

type Up = (dialect: Parameters<MigrationOf>[0]) => ReturnType<MigrationOf>['up']

/** Unsaved drafts, and who has a page open. */
const drafts: Up = () => async (db) => {
  const { schema } = db
  const owned = (name: string) =>
    schema
      .createTable(name)
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.notNull().references('user.id').onDelete('cascade'))
  await owned('page_draft')
    .addColumn('text', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('base_version', 'integer', (c) => c.notNull())
    .addColumn('saved_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('page_draft_key', ['page_id', 'locale', 'user_id'])
    .execute()
  await createIndex(schema, 'page_draft_user', 'page_draft', ['user_id', 'saved_at'])
  await owned('page_draft_step')
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('page_draft_step_key', ['page_id', 'locale', 'user_id', 'number'])
    .execute()
  await createIndex(schema, 'page_draft_step_user', 'page_draft_step', ['user_id'])
  await owned('page_draft_tab')
    .addColumn('editor', 'text', (c) => c.notNull())
    .addColumn('editor_number', 'integer', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('text', 'text')
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('page_draft_tab_key', ['page_id', 'locale', 'user_id', 'editor'])
    .execute()
  await createIndex(schema, 'page_draft_tab_user', 'page_draft_tab', ['user_id'])
  await owned('page_presence')
    .addColumn('editor', 'text', (c) => c.notNull())
    .addColumn('since', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('page_presence_key', ['page_id', 'locale', 'user_id', 'editor'])
    .execute()
  await createIndex(schema, 'page_presence_user', 'page_presence', ['user_id'])
  await createIndex(schema, 'page_presence_seen', 'page_presence', ['seen_at'])
}

/** Redirects, usages of uploads, and pages that were seeded from the configuration. */
const around: Up = (dialect) => async (db) => {
  const { schema } = db
  const address = dialect.bytewiseText as 'text'
  await schema
    .createTable('redirect')
    .addColumn('id', 'integer', dialect.autoIncrement)
    .addColumn('from_path', address, (c) => c.notNull().unique())
    .addColumn('to_path', address, (c) => c.notNull())
    .addColumn('automatic', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('by_id', 'integer')
    .addColumn('by_name', 'text', (c) => c.notNull())
    .addColumn('search_text', address, (c) => c.generatedAlwaysAs(foldedColumns('from_path', 'to_path')).stored())
    .execute()
  await createIndex(schema, 'redirect_to', 'redirect', ['to_path'])
  await createIndex(schema, 'redirect_created', 'redirect', ['created_at', 'id'])
  await dialect.indexText(db, { table: 'redirect', column: 'search_text' })

  await schema
    .createTable('page_place')
    .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
    .addColumn('locale', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('address', 'text', (c) => c.notNull())
    .execute()
  await createIndex(schema, 'page_place_address', 'page_place', ['address'])
  await createIndex(schema, 'page_place_page', 'page_place', ['page_id', 'locale', 'source'])
  await createIndex(schema, 'page_place_user', 'page_place', ['user_id'])

  await schema
    .createTable('page_seed')
    .addColumn('slug', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('page_id', 'integer', (c) => c.references('page.id').onDelete('set null'))
    .execute()
  await createIndex(schema, 'page_seed_page', 'page_seed', ['page_id'])
}

/** Page views by day, and an index to count the messages of a day. */
export const views: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .createTable('page_view')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('views', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_view_key', ['day', 'path', 'locale'])
      .execute()
    // The folder comes second: with it first, SQLite would use this index to count the unread messages of a folder.
    await createIndex(db.schema, 'message_created_folder', 'message', ['created_at', 'folder'])
  },
})

/** Who applied a revision of the configuration, how, and which parts it changed. */
export const configuration: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await addColumn(schema, 'config_revision', 'author_id', 'integer')
    await addColumn(schema, 'config_revision', 'author_name', 'text', (c) => c.notNull().defaultTo(''))
    // Existing revisions were imported by an operator: there was no other way.
    await addColumn(schema, 'config_revision', 'kind', 'text', (c) => c.notNull().defaultTo('imported'))
    await addColumn(schema, 'config_revision', 'restored_id', 'integer')
    await addColumn(schema, 'config_revision', 'parts', 'text', (c) => c.notNull().defaultTo('[]'))
  },
})

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
    await createIndex(schema, 'page_updated_by', 'page', ['updated_by_id'])
    await createIndex(schema, 'page_text_saved_by', 'page_text', ['saved_by_id'])
    await createIndex(schema, 'redirect_by', 'redirect', ['by_id'])
    await createIndex(schema, 'config_revision_author', 'config_revision', ['author_id'])
  },
})

/** The schedule of a page when it was moved to the trash, to restore it with the page. */
export const binnedPlans: MigrationOf = () => ({
  async up(db) {
    for (const [name, type] of [
      ['bin_publish_at', 'text'],
      ['bin_publish_id', 'integer'],
      ['bin_unpublish_at', 'text'],
    ] as const) {
      await addColumn(db.schema, 'page_text', name, type)
    }
  },
})

/** Renames tables for what they are: the log of invalidated cache tags. */
export const cacheInvalidation: MigrationOf = () => ({
  async up(db) {
    await db.schema.alterTable('content_clock').renameTo('cache_invalidation_clock').execute()
    await db.schema.alterTable('content_change').renameTo('cache_invalidation').execute()
  },
})

/** The folded columns of each table with a search text. */
export const searchTexts = {
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
    if (dialect.name !== 'sqlite') return
    for (const [table, columns] of Object.entries(searchTexts)) {
      await dialect.fillSearchTextByTriggers(db, { table, columns })
    }
  },
})

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
      await createIndex(schema, name, 'page_file_usage', columns)
    }

    await schema.dropIndex('redirect_to').execute()
    await sql`create index redirect_to on redirect (substr(to_path, 1, 502))`.execute(db)
  },
})
