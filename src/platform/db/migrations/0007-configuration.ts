import type { MigrationOf } from './migration.ts'

/** Who applied a revision of the configuration, how, and which parts it changed. */
export const configuration: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema.alterTable('config_revision').addColumn('author_id', 'integer').execute()
    await schema
      .alterTable('config_revision')
      .addColumn('author_name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    // Existing revisions were imported by an operator: there was no other way.
    await schema
      .alterTable('config_revision')
      .addColumn('kind', 'text', (c) => c.notNull().defaultTo('imported'))
      .execute()
    await schema.alterTable('config_revision').addColumn('restored_id', 'integer').execute()
    await schema
      .alterTable('config_revision')
      .addColumn('parts', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
})
