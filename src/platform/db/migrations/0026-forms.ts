import type { MigrationOf } from './migration.ts'

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
