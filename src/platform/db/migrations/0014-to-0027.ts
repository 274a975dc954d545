import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

const batch = 500

/** Renames columns for what they hold; adds stored sizes, previews, and turns in the resize queue. */
export const fileNames: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    const renames: [table: string, from: string, to: string][] = [
      ['file', 'hash', 'content_hash'],
      ['file', 'address', 'public_id'],
      ['file', 'blob', 'blob_id'],
      ['file', 'pictures', 'resized_images'],
      ['file', 'pictures_blob', 'resized_blob_id'],
      ['file_address', 'address', 'public_id'],
      ['stored_blob', 'blob', 'id'],
    ]
    for (const [table, from, to] of renames) await schema.alterTable(table).renameColumn(from, to).execute()
    await schema.alterTable('file_address').renameTo('file_public_id').execute()
    await schema.alterTable('file').addColumn('preview_bytes', 'integer').execute()
    await schema.alterTable('file').addColumn('queued_by', 'integer').execute()
    await schema
      .alterTable('file')
      .addColumn('queue_turn', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('stored_blob')
      .addColumn('bytes', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.createIndex('file_queue').on('file').columns(['state', 'queue_turn', 'due_at']).execute()
    await sql`
      update stored_blob
      set state = case state when 'arriving' then 'reserved' when 'kept' then 'committed' else 'released' end`.execute(
      db,
    )
    await sql`update file set resized_images = replace(resized_images, '"address":', '"publicId":')`.execute(db)
    await sql`
      update stored_blob set bytes = (select file.bytes from file where file.blob_id = stored_blob.id)
      where id in (select blob_id from file)`.execute(db)
    let after = 0
    for (;;) {
      const { rows } = await sql<{ id: number; blob: string; images: string }>`
        select id, resized_blob_id as blob, resized_images as images from file
        where id > ${after} and resized_blob_id is not null and resized_images is not null
        order by id limit ${batch}`.execute(db)
      for (const { id, blob, images } of rows) {
        const { widths }: { widths: { bytes: number[] }[] } = JSON.parse(images)
        const bytes = widths.flatMap((width) => width.bytes).reduce((sum, one) => sum + one, 0)
        await sql`update stored_blob set bytes = ${bytes} where id = ${blob}`.execute(db)
        after = id
      }
      if (rows.length < batch) break
    }
  },
})

/** Whether somebody else chose a password, and whether it must be renewed because its user got more rights since. */
export const givenPasswords: MigrationOf = () => ({
  async up(db) {
    for (const name of ['password_given', 'password_expired'] as const) {
      await db.schema
        .alterTable('account')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
})

/** Trusted browsers are found by their user, and messages are counted by day from an index alone. */
export const erasureAndDays: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    // The owner of an existing row cannot be determined. A browser is trusted again after its next sign-in.
    await db.deleteFrom('known_place').execute()
    await schema
      .alterTable('known_place')
      .addColumn('person', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema.createIndex('known_place_person').on('known_place').column('person').execute()
    await schema.createIndex('message_received').on('message').columns(['folder', 'created_at']).execute()
  },
})

/** Renames a table for what it is: the browsers and addresses in which a user signed in before. */
export const knownBrowser: MigrationOf = () => ({
  async up(db) {
    await db.schema.alterTable('known_place').renameTo('known_browser').execute()
  },
})

/** Whether a link was shown to somebody else than its user, and whether a password was ever chosen by somebody else. */
export const knowablePasswords: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .alterTable('user_link')
      .addColumn('shown', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Which of the open links were shown is not known.
    await db.updateTable('user_link').set({ shown: 1 }).where('purpose', '=', 'password').execute()
    await db.schema
      .alterTable('account')
      .addColumn('password_once_given', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.updateTable('account').set({ password_once_given: 1 }).where('password_given', '=', 1).execute()
  },
})

/** Whether a user has put away the list of first steps. */
export const startList: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .alterTable('user')
      .addColumn('start_list_hidden', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})

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

/** Saved sections, and which pages and other sections refer to them. */
export const sections: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('section')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .addColumn('updated_by_id', 'integer')
      .addColumn('updated_by_name', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('section_updated_by').on('section').column('updated_by_id').execute()
    await schema
      .createTable('section_text')
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('types', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('section_text_key', ['section_id', 'locale'])
      .execute()
    await schema
      .createTable('section_part')
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id').onDelete('cascade'))
      .addColumn('part_id', 'text', (c) => c.notNull().references('section.id'))
      .addPrimaryKeyConstraint('section_part_key', ['section_id', 'part_id'])
      .execute()
    await schema.createIndex('section_part_part').on('section_part').column('part_id').execute()
    await schema
      .createTable('page_section_usage')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.references('user.id').onDelete('cascade'))
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id'))
      .execute()
    await schema.createIndex('page_section_usage_section').on('page_section_usage').column('section_id').execute()
    const page = ['page_id', 'locale', 'source']
    await schema.createIndex('page_section_usage_page').on('page_section_usage').columns(page).execute()
    await schema.createIndex('page_section_usage_user').on('page_section_usage').column('user_id').execute()
  },
})

/** Roles that may change only texts and images of a page (`block_id` is empty) or of one of its blocks. */
export const pageLocks: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .createTable('page_lock')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('block_id', 'text', (c) => c.notNull())
      .addColumn('role_id', 'integer', (c) => c.notNull().references('role.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('page_lock_key', ['page_id', 'block_id', 'role_id'])
      .execute()
    await schema.createIndex('page_lock_role').on('page_lock').column('role_id').execute()
  },
})

/** The texts of published pages as visitors search them. The program adds the rows of existing pages when it starts. */
export const pageSearch: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('page_search')
      .addColumn('id', 'integer', (c) => dialect.autoIncrement(c))
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('filled_with', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('search_title', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('search_text', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addUniqueConstraint('page_search_page', ['page_id', 'locale'])
      .execute()
    if (dialect.name === 'postgres') {
      // The text of each row that is found is compared: decompressing it would take longer than that.
      await sql`alter table page_search alter column search_text set storage external`.execute(db)
    }
    // Finds outdated rows without reading the texts.
    await schema
      .createIndex('page_search_state')
      .on('page_search')
      .columns(['page_id', 'locale', 'revision_id', 'filled_with'])
      .execute()
    await dialect.indexText(db, { table: 'page_search', column: 'search_title' })
    await dialect.indexText(db, { table: 'page_search', column: 'search_text' })
    // A mark in the row itself would write its text and its indexes again.
    await schema
      .createTable('page_search_mark')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_search_mark_key', ['page_id', 'locale'])
      .execute()
  },
})

/** Messages belong to a form and store its answers; visitors get a random reference number. */
export const forms: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    // Null for earlier messages, whose visitors were given the id.
    await schema.alterTable('message').addColumn('reference', 'integer').execute()
    await schema.createIndex('message_reference').on('message').column('reference').execute()
    await schema
      .alterTable('message')
      .addColumn('form_id', 'text', (c) => c.notNull().defaultTo('contact'))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('form_name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('answers', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await schema.alterTable('message').addColumn('retention_days', 'integer').execute()
    await schema.createIndex('message_form').on('message').columns(['form_id', 'folder', 'id']).execute()
    await schema
      .createIndex('message_retention')
      .on('message')
      .columns(['form_id', 'retention_days', 'created_at'])
      .execute()
    await schema
      .createTable('message_file')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('message_id', 'integer', (c) => c.notNull().references('message.id').onDelete('cascade'))
      .addColumn('field', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('blob_id', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('message_file_message').on('message_file').column('message_id').execute()
  },
})

/** Pages that are entries of a collection, and the published ones as overviews list them. */
export const collections: MigrationOf = (dialect) => ({
  async up({ schema }) {
    const bytewise = dialect.bytewiseText as 'text'
    await schema.alterTable('page').addColumn('collection', bytewise).execute()
    await schema.createIndex('page_collection').on('page').columns(['collection', 'bin']).execute()
    await schema
      .createTable('page_entry')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('collection', bytewise, (c) => c.notNull())
      .addColumn('text_locale', 'text', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('slug', bytewise, (c) => c.notNull())
      .addColumn('date', 'text', (c) => c.notNull())
      .addColumn('category', bytewise, (c) => c.notNull())
      .addColumn('sort_key', bytewise, (c) => c.notNull())
      .addPrimaryKeyConstraint('page_entry_key', ['page_id', 'locale'])
      .execute()
    const ordered = ['sort_key', 'page_id'] as const
    await schema
      .createIndex('page_entry_order')
      .on('page_entry')
      .columns(['collection', 'locale', ...ordered])
      .execute()
    await schema
      .createIndex('page_entry_category')
      .on('page_entry')
      .columns(['collection', 'locale', 'category', ...ordered])
      .execute()
  },
})
