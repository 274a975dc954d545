import { sql } from 'kysely'
import { addColumn, createIndex, type MigrationOf } from './migration.ts'

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
    await addColumn(schema, 'file', 'preview_bytes', 'integer')
    await addColumn(schema, 'file', 'queued_by', 'integer')
    await addColumn(schema, 'file', 'queue_turn', 'integer', (c) => c.notNull().defaultTo(0))
    await addColumn(schema, 'stored_blob', 'bytes', 'integer', (c) => c.notNull().defaultTo(0))
    await createIndex(schema, 'file_queue', 'file', ['state', 'queue_turn', 'due_at'])
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
      await addColumn(db.schema, 'account', name, 'integer', (column) => column.notNull().defaultTo(0))
    }
  },
})

/** Trusted browsers are found by their user, and messages are counted by day from an index alone. */
export const erasureAndDays: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    // The owner of an existing row cannot be determined. A browser is trusted again after its next sign-in.
    await db.deleteFrom('known_place').execute()
    await addColumn(schema, 'known_place', 'person', 'text', (c) => c.notNull().defaultTo(''))
    await createIndex(schema, 'known_place_person', 'known_place', ['person'])
    await createIndex(schema, 'message_received', 'message', ['folder', 'created_at'])
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
    await addColumn(db.schema, 'user_link', 'shown', 'integer', (column) => column.notNull().defaultTo(0))
    // Which of the open links were shown is not known.
    await db.updateTable('user_link').set({ shown: 1 }).where('purpose', '=', 'password').execute()
    await addColumn(db.schema, 'account', 'password_once_given', 'integer', (column) => column.notNull().defaultTo(0))
    await db.updateTable('account').set({ password_once_given: 1 }).where('password_given', '=', 1).execute()
  },
})

/** Whether a user has put away the list of first steps. */
export const startList: MigrationOf = () => ({
  async up(db) {
    await addColumn(db.schema, 'user', 'start_list_hidden', 'integer', (column) => column.notNull().defaultTo(0))
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
    await createIndex(schema, 'page_review_state', 'page_review', ['state', 'offered_at'])
    await createIndex(schema, 'page_review_offered_by', 'page_review', ['offered_by_id'])
    await createIndex(schema, 'page_review_ended_by', 'page_review', ['ended_by_id'])
    await addColumn(schema, 'user', 'review_emails', 'integer', (c) => c.notNull().defaultTo(0))
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
    await createIndex(schema, 'section_updated_by', 'section', ['updated_by_id'])
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
    await createIndex(schema, 'section_part_part', 'section_part', ['part_id'])
    await schema
      .createTable('page_section_usage')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.references('user.id').onDelete('cascade'))
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id'))
      .execute()
    await createIndex(schema, 'page_section_usage_section', 'page_section_usage', ['section_id'])
    const page = ['page_id', 'locale', 'source']
    await createIndex(schema, 'page_section_usage_page', 'page_section_usage', page)
    await createIndex(schema, 'page_section_usage_user', 'page_section_usage', ['user_id'])
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
    await createIndex(schema, 'page_lock_role', 'page_lock', ['role_id'])
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
    await createIndex(schema, 'page_search_state', 'page_search', ['page_id', 'locale', 'revision_id', 'filled_with'])
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
    await addColumn(schema, 'message', 'reference', 'integer')
    await createIndex(schema, 'message_reference', 'message', ['reference'])
    await addColumn(schema, 'message', 'form_id', 'text', (c) => c.notNull().defaultTo('contact'))
    await addColumn(schema, 'message', 'form_name', 'text', (c) => c.notNull().defaultTo(''))
    await addColumn(schema, 'message', 'answers', 'text', (c) => c.notNull().defaultTo('[]'))
    await addColumn(schema, 'message', 'retention_days', 'integer')
    await createIndex(schema, 'message_form', 'message', ['form_id', 'folder', 'id'])
    await createIndex(schema, 'message_retention', 'message', ['form_id', 'retention_days', 'created_at'])
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
    await createIndex(schema, 'message_file_message', 'message_file', ['message_id'])
  },
})

/** Pages that are entries of a collection, and the published ones as overviews list them. */
export const collections: MigrationOf = (dialect) => ({
  async up({ schema }) {
    const bytewise = dialect.bytewiseText as 'text'
    await addColumn(schema, 'page', 'collection', bytewise)
    await createIndex(schema, 'page_collection', 'page', ['collection', 'bin'])
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
    await createIndex(schema, 'page_entry_order', 'page_entry', ['collection', 'locale', ...ordered])
    await createIndex(schema, 'page_entry_category', 'page_entry', ['collection', 'locale', 'category', ...ordered])
  },
})
