import type { MigrationOf } from './migration.ts'

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
    await schema.createIndex('page_lock_role').on('page_lock').column('role_id').execute()
  },
})
