import type { MigrationOf } from './migration.ts'

/** Messages and the emails about them; revisions of the configuration; the clock that tells every process what changed. */
export const first: MigrationOf = (dialect) => ({
  async up(db) {
    await db.schema
      .createTable('message')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('naam', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('tel', 'text', (c) => c.notNull())
      .addColumn('bericht', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('folder', 'text', (c) => c.notNull())
      .addColumn('spam_reason', 'text')
      .addColumn('privacy_version', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('address_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('message_created').on('message').column('created_at').execute()
    await db.schema.createIndex('message_fingerprint').on('message').columns(['fingerprint', 'created_at']).execute()
    await db.schema.createIndex('message_address').on('message').columns(['address_key', 'created_at']).execute()

    await db.schema
      .createTable('outbox')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('message_id', 'text', (c) => c.notNull().unique())
      .addColumn('template', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('about', 'text')
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('waiting'))
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('next_attempt_at', 'text', (c) => c.notNull())
      .addColumn('last_error', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('sent_at', 'text')
      .execute()
    await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_attempt_at']).execute()
    await db.schema.createIndex('outbox_about').on('outbox').column('about').execute()

    await db.schema
      .createTable('config_revision')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('config', 'text', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('content_clock')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('version', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('content_change')
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('tag', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('content_change_key', ['version', 'tag'])
      .execute()
    await db.insertInto('content_clock').values({ id: 1, version: 0 }).execute()
  },
})
