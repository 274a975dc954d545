import type { MigrationOf } from './migration.ts'

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
