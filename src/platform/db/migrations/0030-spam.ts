import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** Stores the matched spam rules of a message, its page, and whether the statistics count it. */
export const spam: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .alterTable('message')
      .addColumn('spam_reasons', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await schema.alterTable('message').addColumn('page', 'text').execute()
    await schema
      .alterTable('message')
      .addColumn('counted', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await sql`update message set counted = 1 where folder = 'inbox'`.execute(db)
  },
})
