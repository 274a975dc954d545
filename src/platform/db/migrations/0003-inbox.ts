import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import type { MigrationOf } from './migration.ts'

/** Staff read, search, annotate and answer messages; emails are searched. */
export const inbox: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema.alterTable('message').addColumn('read_at', 'text').execute()
    await schema.alterTable('message').addColumn('answered_at', 'text').execute()
    await schema
      .alterTable('message')
      .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('thread', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    // Messages from before the inbox were delivered by email and read there.
    await sql`update message set read_at = created_at where folder = 'inbox'`.execute(db)
    await sql`update message set thread = coalesce((
      select string_agg(outbox.message_id, ' ') from outbox where outbox.about = 'message:' || message.id), '')`.execute(
      db,
    )
    await dialect.addGeneratedText(db, {
      table: 'message',
      column: 'search_text',
      from: foldedColumns('naam', 'email', 'tel', 'bericht'),
    })
    await dialect.indexText(db, { table: 'message', column: 'search_text' })
    await schema.createIndex('message_folder').on('message').columns(['folder', 'id']).execute()
    for (const [name, condition] of [
      ['unread', sql<boolean>`read_at is null`],
      ['open', sql<boolean>`answered_at is null`],
      ['answered', sql<boolean>`answered_at is not null`],
    ] as const) {
      await schema.createIndex(`message_${name}`).on('message').columns(['folder', 'id']).where(condition).execute()
    }

    await schema
      .createTable('message_reply')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('message_id', 'integer', (c) => c.notNull().references('message.id').onDelete('cascade'))
      .addColumn('mail_id', 'text', (c) => c.notNull().unique())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('message_reply_message').on('message_reply').columns(['message_id', 'id']).execute()

    await dialect.addGeneratedText(db, { table: 'outbox', column: 'search_text', from: foldedColumns('recipient') })
    await dialect.indexText(db, { table: 'outbox', column: 'search_text' })
    await schema.createIndex('outbox_state').on('outbox').columns(['state', 'id']).execute()
  },
})
