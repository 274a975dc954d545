import type { MigrationOf } from './migration.ts'

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
