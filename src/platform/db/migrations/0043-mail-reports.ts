import type { MigrationOf } from './migration.ts'

/** Reports that an email was not delivered, and how far the mailbox that receives them was read. */
export const mailReports: MigrationOf = () => ({
  async up({ schema }) {
    await schema.alterTable('outbox').addColumn('bounced_at', 'text').execute()
    await schema.alterTable('outbox').addColumn('bounce', 'text').execute()
    await schema.createIndex('outbox_message_id').on('outbox').column('message_id').execute()
    await schema
      .createTable('mailbox_reading')
      .addColumn('name', 'text', (c) => c.notNull().primaryKey())
      .addColumn('uid_validity', 'text')
      .addColumn('uid', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('claimed_until', 'text', (c) => c.notNull())
      .addColumn('read_at', 'text')
      .addColumn('problem', 'text')
      .addColumn('test_message_id', 'text')
      .addColumn('test_sent_at', 'text')
      .addColumn('test_results', 'text')
      .execute()
  },
})
