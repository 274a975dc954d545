import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

/** The saved texts of sections; what is stored now is the first. */
export const sectionRevisions: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('section_revision')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('group_id', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('restored_from', 'integer')
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('by_id', 'integer')
      .addColumn('by_name', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('section_revision_version')
      .on('section_revision')
      .columns(['section_id', 'locale', 'version'])
      .unique()
      .execute()
    await schema
      .createIndex('section_revision_group')
      .on('section_revision')
      .columns(['section_id', 'locale', 'group_id'])
      .execute()
    await schema.createIndex('section_revision_by').on('section_revision').column('by_id').execute()
    await sql`
      insert into section_revision (section_id, locale, version, group_id, text, at, by_id, by_name)
      select section.id, section_text.locale, section.version, 0, section_text.body,
        section.updated_at, section.updated_by_id, section.updated_by_name
      from section inner join section_text on section_text.section_id = section.id`.execute(db)
    await sql`update section_revision set group_id = id`.execute(db)
  },
})
